"""Learning what positions are worth, by TD(λ) on after-states, for any game that writes inputs.

    python train.py --game dorfromantik --minutes 5 --out runs/tiles
    python evaluate.py --game dorfromantik runs/tiles greedy
    python train.py --game agricola --players 2 --minutes 5 --out runs/farm

The value of a position is a sum of weights, one for each input that the game writes of it (``write_inputs``). The
learner plays every seat by its own value, without any move at random; after each game the weights of every position go
towards what came of it for its seat, each by a step of its own that shrinks where its errors change sign (temporal
coherence, Beal and Smith 1999). The reward of a seat is the growth of its own total, also among rivals.

Where a game has quick inputs, the first games are played and learnt from by these alone; all inputs begin with what was
learnt then, and the sum of the quick ones goes on learning beside that of all, since it says what is looked at closely.
From zero all together learn far more slowly: inputs that are on in every position take most of each step.

Where a game has hidden units, a network is learnt beside the sum, otherwise and with moves at random (``layers.py``):
first from games of the best scripted player, unless it goes on from another run's agent (``--begin``).
"""

import json
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.common.command import ended, held_back, parser
from agents.common.files import write_atomically
from agents.players.values import LOOKED_AT, best_actions, count_weights, load_values, new_room, save_values
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.checks import is_whole
from bohemian_env.engine.contract import INPUTS, MAX_PLAYERS, MOST_INPUTS, QUICK, TEAM, Rules, push, write_inputs
from bohemian_env.engine.dealing import deal_game, deal_seeded, next_seed
from bohemian_env.engine.errors import BohemianError, brief
from bohemian_env.engine.reward import new_scoring, write_totals
from bohemian_env.games import known_games, rules_of

from .folder import CONFIG_FILE, BadRun, RunFolder
from .layers import LayerLearner, first_weights

CHECKPOINT: Final = "checkpoint.safetensors"  # the name of the file that a run goes on from
_FIRST_GAME: Final = 2**58  # seed of the first game, far from those by which agents are measured
_MOST_DECISIONS: Final = 512
AMONG: Final = 0.5  # the part of a network's games in which it is alone among scripted players, unless another is given
_AT_A_TIME: Final = 50
_QUICK_GAMES: Final = 20_000  # the games that are learnt from by the quick inputs alone, where there are some


@loop
def learn(
    seed: Word,
    games: int,
    common: np.ndarray,
    states: np.ndarray,
    weights: np.ndarray,
    errors: np.ndarray,
    moves: np.ndarray,
    trace: float,
    rate: float,
    looked: int,
    told: np.ndarray,
) -> Word:
    """Play some games and learn from each; return the seed of the next one.

    Args:
        seed: of the first game.
        games: how many.
        common: the set-up.
        states: (2,), overwritten.
        weights: float32, (INPUTS + QUICK,), changed.
        errors, moves: for each weight the sum of the steps that it was to take, and of their sizes: float32, changed.
        trace: λ, 0 to 1.
        rate: the part of a step that is taken where all went the same way.
        looked: how many actions are looked at closely; 1 where there are quick inputs: only these learn.
        told: float64, (2,): the totals and the number of games are added.
    """
    inputs = np.zeros((_MOST_DECISIONS, MOST_INPUTS), np.int32)
    counts, seats = np.zeros(_MOST_DECISIONS, np.int64), np.zeros(_MOST_DECISIONS, np.int64)
    after, values = np.zeros(_MOST_DECISIONS), np.zeros((_MOST_DECISIONS, 2))
    times, totals, s = np.zeros(weights.shape[0], np.int32), np.zeros(MAX_PLAYERS, np.int32), states[0]
    room, scoring = new_room(), new_scoring()
    begun = int(QUICK > 0 and looked == 1)  # the sum that plays: 0 of all inputs, 1 of the quick ones
    then, later, worth_then = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    for _ in range(games):
        deal_game(s, seed, common[0])
        n = 0
        while s["end"] == 0 and n < _MOST_DECISIONS:
            best_actions(states, weights, looked, room)
            seats[n] = 0 if TEAM else s["to_move"]
            push(s, room.actions[0])
            write_totals(s, totals, scoring)
            after[n], values[n, 0], values[n, 1], counts[n] = totals[seats[n]], 0.0, 0.0, 0
            if s["end"] == 0:
                counts[n] = write_inputs(s, seats[n], inputs[n])
                for k in range(counts[n]):
                    values[n, 0] += weights[inputs[n, k]]
                    values[n, 1] += weights[INPUTS + inputs[n, k]] if inputs[n, k] < QUICK else 0.0
            n += 1
            deal_seeded(s, seed)
        write_totals(s, totals, scoring)
        told[0] += totals[: s["players"]].mean()
        told[1] += 1
        # What a seat gains after a decision: up to its next one, and then a part by that one's value.
        for seat in range(s["players"]):
            then[seat], later[seat], worth_then[seat] = totals[seat], 0.0, 0.0
        for back in range(n):
            row = n - 1 - back
            seat = seats[row]
            later[seat] = then[seat] - after[row] + (1.0 - trace) * worth_then[seat] + trace * later[seat]
            then[seat], worth_then[seat] = after[row], values[row, begun]
            for part in range(begun, 2 if QUICK else 1):
                last, behind, together = QUICK if part else INPUTS, INPUTS * part, 0
                for k in range(counts[row]):
                    times[inputs[row, k]] += inputs[row, k] < last
                for k in range(counts[row]):
                    together += times[inputs[row, k]]
                for k in range(counts[row]):
                    times[inputs[row, k]] = 0
                for k in range(counts[row]):
                    if inputs[row, k] < last:
                        which, step = behind + inputs[row, k], (later[seat] - values[row, part]) / together
                        own = abs(errors[which]) / moves[which] if moves[which] > 0 else 1.0
                        weights[which] += rate * own * step
                        errors[which] += step
                        moves[which] += abs(step)
        seed = next_seed(seed)
    return seed


def setup_of(settings: Any) -> tuple[Rules, Any]:
    """Return the game and the set-up of the settings of a run. Raises BadRun unless they are as ``--help`` says."""
    told = settings if isinstance(settings, dict) else {}
    parts = [told.get("trace"), told.get("rate"), told.get("among", AMONG)]
    fit = all(isinstance(part, int | float) and not isinstance(part, bool) and 0 <= part <= 1 for part in parts)
    if not (fit and told["rate"] > 0 and is_whole(told.get("seed"), 0, 1000)):
        raise BadRun(f"settings {brief(settings)}: seed, trace, rate or among is not as --help says")
    if not isinstance(begin := told.get("begin"), str | None):
        raise BadRun(f"begin {brief(begin)} is not the folder of a run")
    try:
        rules = rules_of(told.get("game", ""))
        if not hasattr(rules.verbs, "write_inputs"):
            raise BadRun(f"game {rules.name!r}: expected one that writes inputs (write_inputs)")
        players = {} if told.get("players") is None else {"num_players": told["players"]}
        return rules, rules.setup(**players, **told.get("options", {}))
    except (BohemianError, TypeError) as error:
        raise BadRun(f"settings {brief(settings)}: {error}") from None


class ValueRun:
    """A run in a folder: a new one, or one to go on with.

    Args:
        folder: the folder of the run.
        settings: those of a new run: ``game``, ``players``, ``seed``, ``trace`` and ``rate``, and the set-up's
            ``options`` if it has some, ``begin``, the folder of an agent to start from, and
            ``among``, the part of a network's games that are not with itself; None goes on.

    Raises BadRun: the folder is not free for a new run, or holds none to go on with, or the settings are not such.
    BadAgent: there is no agent to start from.
    """

    def __init__(self, folder: Path, settings: dict[str, Any] | None) -> None:
        self.folder, self._own = folder, RunFolder(folder, ", or --resume to go on with a run in it")
        kept: dict[str, np.ndarray] = {}
        if settings is None:
            try:
                settings = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
                kept = load((folder / CHECKPOINT).read_bytes())
            except (OSError, RecursionError, SafetensorError, ValueError) as error:
                raise BadRun(f"{folder} holds no run to go on with: {error}") from None
        self.rules, setup = setup_of(settings)
        rules, self.settings = self.rules, dict(settings or {})
        self.settings["players"], self.common = setup.players, setup.common()
        count = count_weights(rules)
        inputs, self.quick, hidden = (int(getattr(rules.verbs, name, 0)) for name in ("INPUTS", "QUICK", "HIDDEN"))
        self.weights, self.errors, self.moves = (
            kept.get(name, np.zeros(count, np.float32)).copy() for name in ("weights", "errors", "moves")
        )
        progress = kept.get("progress", np.array([_FIRST_GAME + self.settings["seed"] * 2**32, 0, 0], np.int64))
        if any(one.shape != (count,) or one.dtype != np.float32 for one in (self.weights, self.errors, self.moves)):
            raise BadRun(f"{folder / CHECKPOINT} is not of {count} weights")
        if progress.dtype != np.int64 or progress.ndim != 1 or len(progress) < 3 or (progress < 0).any():
            raise BadRun(f"{folder / CHECKPOINT} does not say how far the run has come")
        self.seed, self.games, self.milliseconds = map(int, progress[:3])
        self._states = np.zeros(3, self.rules.state)
        self.told = np.zeros(2)
        """The totals of the games of this session since it was last told how it goes, and their number."""
        self.layers: LayerLearner | None = None
        begin = self.settings.get("begin")
        if hidden:
            if not kept:
                self.weights[:] = first_weights(inputs, self.quick, hidden, self.settings["seed"])
            self.layers = LayerLearner(
                rules, self.common, self.weights, self.errors, self.moves, not begin, self.settings.get("among", AMONG)
            )
            self.layers.steps = int(progress[3:].sum())
        if begin and not kept:
            agent = load_values(Path(begin))
            if agent.rules is not rules:
                raise BadRun(f"{begin} plays {agent.rules.name}, not {rules.name}")
            self.weights[:] = agent.weights_for(setup.players)
        self.mean = float("nan")
        """The mean total of the games of the last report."""
        self._own.claim(new=not kept)
        write_atomically(folder / CONFIG_FILE, (json.dumps(self.settings, indent=1) + "\n").encode())

    def learn(self, games: int, part: float = 0.0) -> None:
        """Play some games and learn from each. part: of all learning, how much is done, by which layers learn."""
        if self.layers:
            trace, rate = self.settings["trace"], self.settings["rate"]
            self.seed = self.layers.turn(self.seed, games, part, trace, rate, self.told)
            self.games += games
            return
        quick = self.quick and self.games < _QUICK_GAMES
        arrays = (self.common, self._states, self.weights, self.errors, self.moves)
        rest = (self.settings["trace"], self.settings["rate"], 1 if quick else LOOKED_AT, self.told)
        self.seed = int(self.rules.compiled(learn)(np.uint64(self.seed), games, *arrays, *rest))
        self.games += games
        if quick:  # all inputs begin with what is learnt
            self.weights[: self.quick] = self.weights[self.rules.verbs.INPUTS :]

    def train(self, minutes: float) -> None:
        """Learn until the run has lasted so long in all, telling every half minute how it goes; then save."""
        begun, spent, shown = time.monotonic(), self.milliseconds, 0.0
        try:
            while self.milliseconds < 60_000 * minutes:
                with held_back():
                    self.learn(_AT_A_TIME, self.milliseconds / (60_000 * minutes))
                self.milliseconds = spent + round(1000 * (time.monotonic() - begun))
                if self.milliseconds - shown >= 30_000:
                    shown, self.mean = self.milliseconds, self.told[0] / self.told[1]
                    print(f"{self.milliseconds / 1000:6.0f} s  {self.games:9,} games  mean total {self.mean:.1f}")
                    self.told[:] = 0
                    self.save()
        finally:
            self.save()
            self._own.release()

    def save(self) -> None:
        """Write the checkpoint and the agent."""
        steps = self.layers.steps if self.layers else 0
        progress = np.array([self.seed, self.games, self.milliseconds, steps], np.int64)
        arrays = {"weights": self.weights, "errors": self.errors, "moves": self.moves, "progress": progress}
        write_atomically(self.folder / CHECKPOINT, save(arrays))
        save_values(self.folder, self.rules, self.weights, {**self.settings, "games": self.games})


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status: 0 done, 2 refused or failed, 130 interrupted."""
    parse = parser("train.py --game", __doc__)
    parse.add_argument("--game", choices=known_games(), help="the game")
    parse.add_argument("--out", type=Path, required=True, help="folder of the run")
    parse.add_argument("--minutes", type=float, default=5.0, help="of learning, over all sessions (default: 5)")
    parse.add_argument("--resume", action="store_true", help="go on with the run in --out, with the settings it has")
    parse.add_argument("--players", type=int, help="seats (default: those that the game is set up for)")
    parse.add_argument("--seed", type=int, default=0, help="0 to 1,000: of the games (default: 0)")
    parse.add_argument("--begin", help="folder of a run, of any number of players, whose network is gone on from")
    among = (
        f"part of a network's games, 0 to 1, in which it is alone among the best scripted players (default: {AMONG})"
    )
    parse.add_argument("--among", type=float, default=AMONG, help=among)
    parse.add_argument("--trace", type=float, default=0.9, help="λ, 0 to 1 (default: 0.9)")
    parse.add_argument("--rate", type=float, default=1.0, help="of the steps, above 0, at most 1 (default: 1)")
    o = parse.parse_args(arguments)
    if not o.minutes > 0:
        parse.error(f"--minutes {o.minutes}: expected more than 0")
    settings = {name: getattr(o, name) for name in ("game", "players", "seed", "trace", "rate", "begin", "among")}
    begun: list[ValueRun] = []

    def work() -> None:
        print(f"Learning to play {o.game}; after an installation it is compiled first, for minutes.", flush=True)
        begun.append(run := ValueRun(o.out, None if o.resume else settings))
        run.train(o.minutes)
        print(f"Trained: {o.out / 'agent.safetensors'} after {run.games:,} games in {run.milliseconds / 1000:.0f} s")

    go_on = f"; saved. Go on with: python train.py --game {o.game} --resume --out {o.out}"
    return ended("train.py", work, lambda: go_on if begun else "")
