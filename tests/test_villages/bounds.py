"""Give damaged positions to the doors of the package and play on with those that are taken.

Run with NUMBA_BOUNDSCHECK=1, so that a compiled function that leaves an array raises IndexError. The last line says how
many were accepted and how many were refused.
"""

import numpy as np

from bohemian_env import Batch, BohemianError, Game, bohemian_villages_v0
from bohemian_env.engine.compiled import njit
from bohemian_env.villages import rules
from bohemian_env.villages.check import checked_states
from bohemian_env.villages.dice import SIZE
from bohemian_env.villages.faces import advise, choose_all, see_some
from bohemian_env.villages.opponents import SCRIPTED, new_scratch
from bohemian_env.villages.state import STATE

TRIES = 3000


def damaged(states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A copy with a few bits flipped, or with a field or two set to another number."""
    data = bytearray(states.tobytes())
    if rng.random() < 0.3:
        for place in rng.integers(0, 8 * len(data), rng.integers(1, 4)):
            data[place // 8] ^= 1 << int(place % 8)
    again = np.frombuffer(bytes(data), STATE).copy()
    for name in rng.choice([name for name in STATE.names if name != "legal"], rng.integers(0, 3)):
        values = again[name].reshape(-1)
        places = rng.integers(0, values.size, 2)
        step = rng.integers(-3, 4) if rng.random() < 0.7 else rng.integers(-300, 300)
        values[places] += np.array([step, -step]).astype(values.dtype)
        again[name] = values.reshape(again[name].shape)
    return again


def played_on(states: np.ndarray, rng: np.random.Generator) -> None:
    """Look at a position in every way and play it on, with each scripted opponent in turn."""
    for step in range(120):
        s = states[0]
        if s["end"]:
            break
        if s["pending"]:
            rules.deal(s, int(rng.choice(np.flatnonzero(s["pending"] == SIZE))))
            continue
        one = np.zeros(1, np.int64)
        see_some(states, one)
        advise(states)
        action = np.zeros(1, np.int64)
        number = step % len(SCRIPTED)
        choose_all(number, one, states, np.ones(1, np.uint64), np.uint64(step), new_scratch(), action)
        rules.push(s, int(action[0]))
    scoring = np.zeros((int(states["players"][0]), 6), np.int64)
    rules.score(states[0], scoring)


@njit
def beyond(values: np.ndarray) -> float:
    return values[len(values)]


def main() -> None:
    rng = np.random.default_rng(1)
    batch = Batch(64, 3, autoreset=False)
    env = bohemian_villages_v0.raw_env(3)
    env.reset(seed=1)
    try:
        beyond(np.zeros(1))
    except IndexError:
        pass
    else:
        raise SystemExit("this run does not check bounds")
    accepted = refused = 0
    for number in range(TRIES):
        if number % 30 == 0:
            if batch.over.all():
                batch.reset(number)
            batch.step(batch.random_actions(number))
        states = damaged(batch.states[number % 64 : number % 64 + 1], rng)
        door = number % 3
        try:
            if door == 0:
                states = checked_states(states)
            elif door == 1:
                make = Game.new(3).__reduce__()[0]
                villages = batch.start_of(number % 64).villages
                states = make(states, villages, None, None, (), (), ()).states.copy()
            else:
                env.set_state(env.get_state() | {"position": states})
        except BohemianError:
            refused += 1
            continue
        accepted += 1
        played_on(states, rng)
    print(accepted, refused)


if __name__ == "__main__":
    main()
