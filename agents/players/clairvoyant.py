"""What could have been scored had the order of the stacks been known: found by a search, so a figure, not a ceiling.

    python -m agents.players.clairvoyant --game dorfromantik runs/tiles --games 100 --width 200

A beam: of all positions after so many turns those are kept in which the total and the value of what is to come are
most. It is for one player, or for all seats of a team. Nobody could have played so; a better search may find more.

With ``--penalty`` each total is less the luck (``luck.py``) of its game, so that what was foreseen gains nothing:
*information relaxation* (Brown, Smith and Sun 2010). Nobody who does not know the order can have a higher mean than the
best such totals, and if the values are exact, the best player has this very mean. That is a bound where the beam leaves
nothing out, as with ``--task Dorfromantik-mini --width 10000 --looked 200``, and an estimate elsewhere.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.statistics import LEVEL_TEXT, mean_estimate
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import push, set_up
from bohemian_env.engine.dealing import deal_seeded
from bohemian_env.engine.errors import BadSetup
from bohemian_env.engine.reward import write_totals
from bohemian_env.games import known_games, rules_of
from bohemian_env.tasks import TASKS, GameTask

from .luck import add_luck
from .value_search import word_of
from .values import LOOKED_AT, Room, ValueAgent, best_actions, load_values, new_room

_WIDTH: Final = 200
_ALONE: Final = [name for name, task in TASKS.items() if isinstance(task, GameTask) and task.players == 1]


@loop
def widest(
    now: np.ndarray,
    later: np.ndarray,
    seed: Word,
    common: np.ndarray,
    weights: np.ndarray,
    trials: np.ndarray,
    room: Room,
    penalty: bool,
    looked: int,
) -> float:
    """Return the highest total that a beam finds in the game of a seed, less its luck where there is a penalty.

    looked: how many actions of a position are. now, later: (width,), overwritten. trials: (4,), overwritten.
    """
    width, states = now.shape[0], np.concatenate((now[:1], now[:1], now[:1]))
    parents, actions = np.zeros(width * looked, np.int64), np.zeros(width * looked, np.int64)
    values, words = np.zeros(width * looked), np.zeros(width, np.uint64)
    lucks, after = np.zeros(width), np.zeros(width)
    set_up(now[0], seed, common[0])
    if penalty:
        lucks[0] = add_luck(now[0], seed, weights, trials, room)
    else:
        deal_seeded(now[0], seed)
    alive, best = 1, -np.inf
    while alive:
        found = 0
        for parent in range(alive):
            states[0] = now[parent]
            write_totals(states[0], room.totals, room.scoring)
            total = room.totals[0] - lucks[parent]
            if states[0]["end"] != 0:
                best = max(best, total)
                continue
            for k in range(best_actions(states, weights, looked, room)):
                parents[found], actions[found], values[found] = parent, room.actions[k], total + room.worths[k]
                found += 1
        alive = 0
        for k in np.argsort(-values[:found]):
            later[alive] = now[parents[k]]
            push(later[alive], actions[k])
            after[alive] = lucks[parents[k]]
            if penalty:
                after[alive] += add_luck(later[alive], seed, weights, trials, room)
            else:
                deal_seeded(later[alive], seed)
            expected = np.int64(1e4 * (values[k] + lucks[parents[k]]))  # two ways to the same position expect the same
            words[alive] = word_of(later[alive], np.uint64(expected))
            met = False
            for other in range(alive):  # ends have no actions that would tell them apart
                met |= words[other] == words[alive] and later[alive]["end"] == 0
            alive += not met
            if alive == width:
                break
        for k in range(alive):
            now[k], lucks[k] = later[k], after[k]
    return best


def totals_of(
    agent: ValueAgent,
    games: int,
    seed: int,
    width: int = _WIDTH,
    penalty: bool = False,
    looked: int = LOOKED_AT,
    **options: Any,
) -> np.ndarray:
    """Return the total found in each of some games, less its luck where there is a penalty: float64, (games,).

    seed: of the first game; those of the others follow. looked: how many actions of a position are looked at. options:
    parameters of the set-up. Raises BadSetup: there are several players who are no team.
    """
    rules, setup = agent.rules, agent.rules.setup(**options)
    if setup.players > 1 and not rules.verbs.TEAM:
        raise BadSetup(f"game {rules.name!r}: expected one player, or a team")
    now, later, trials = (np.zeros(count, rules.state) for count in (width, width, 4))
    room, search = rules.compiled(new_room)(), rules.compiled(widest)
    weights = agent.weights_for(setup.players)
    looked, rest = min(looked, rules.verbs.NUM_ACTIONS), (setup.common(), weights, trials, room, penalty)
    return np.array([search(now, later, np.uint64(one), *rest, looked) for one in range(seed, seed + games)])


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    parse = parser("python -m agents.players.clairvoyant", __doc__)
    parse.add_argument("agent", type=Path, help="folder of a run that learnt values")
    parse.add_argument("--game", choices=known_games(), help="the game (default: that of the agent)")
    parse.add_argument("--games", type=int, default=100, metavar="N", help="how many (default: 100)")
    parse.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the first game (default: 0)")
    parse.add_argument("--task", choices=_ALONE, help="a task of the benchmark, whose set-up is played")
    parse.add_argument("--penalty", action="store_true", help="take off what was gained by what was foreseen")
    parse.add_argument("--width", type=int, default=_WIDTH, metavar="N", help=f"positions kept (default: {_WIDTH})")
    looked = f"actions of each that are looked at, the best by the value (default: {LOOKED_AT})"
    parse.add_argument("--looked", type=int, default=LOOKED_AT, metavar="N", help=looked)
    o = parse.parse_args(arguments)

    def work() -> None:
        agent = load_values(o.agent)
        if o.game and rules_of(o.game) is not agent.rules:
            raise BadSetup(f"{o.agent} plays {agent.rules.name}, not {o.game}")
        if min(o.games - 1, o.width, o.looked) < 1 or o.seed < 0:
            raise BadSetup("expected --games of at least 2, --width and --looked of at least 1, --seed of at least 0")
        task = TASKS[o.task] if o.task else None
        if isinstance(task, GameTask) and rules_of(task.game) is not agent.rules:
            raise BadSetup(f"{o.agent} plays {agent.rules.name}, and {o.task} is of {task.game}")
        options = task.options if isinstance(task, GameTask) else {}
        totals = totals_of(agent, o.games, o.seed, o.width, o.penalty, o.looked, **options)
        told = f"mean {mean_estimate(totals).text(2)} ({LEVEL_TEXT}), best {totals.max():.1f}"
        known = f"order known, {'less luck, ' * o.penalty}by a beam of {o.width}"
        print(f"{o.task or agent.rules.name}, {known}, {o.games} games from seed {o.seed}: {told}")

    return ended("python -m agents.players.clairvoyant", work)


if __name__ == "__main__":
    raise SystemExit(main())
