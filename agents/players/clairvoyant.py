"""What could have been scored had the order of the stacks been known: found by a search, so a figure, not a ceiling.

    python -m agents.players.clairvoyant --game dorfromantik runs/tiles --games 100 --width 200

A beam: of all positions after so many turns those are kept in which the total and the value of what is to come are
most. It is for one player, or for all seats of a team. Nobody could have played so; a better search may find more.
"""

from pathlib import Path
from typing import Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.statistics import LEVEL_TEXT, mean_estimate
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import push
from bohemian_env.engine.dealing import deal_game, deal_seeded
from bohemian_env.engine.errors import BadSetup
from bohemian_env.engine.reward import write_totals
from bohemian_env.games import known_games, rules_of

from .value_search import word_of
from .values import LOOKED_AT, Room, ValueAgent, best_actions, load_values, new_room

_WIDTH: Final = 200


@loop
def widest(now: np.ndarray, later: np.ndarray, seed: Word, common: np.ndarray, weights: np.ndarray, room: Room) -> int:
    """Return the highest total that a beam finds in the game of a seed. now, later: (width,), overwritten."""
    width, states = now.shape[0], np.concatenate((now[:1], now[:1], now[:1]))
    parents, actions = np.zeros(width * LOOKED_AT, np.int64), np.zeros(width * LOOKED_AT, np.int64)
    values, words = np.zeros(width * LOOKED_AT), np.zeros(width, np.uint64)
    deal_game(now[0], seed, common[0])
    alive, best = 1, 0
    while alive:
        found = 0
        for parent in range(alive):
            states[0] = now[parent]
            write_totals(states[0], room.totals, room.scoring)
            total = room.totals[0]
            if states[0]["end"] != 0:
                best = max(best, total)
                continue
            for k in range(best_actions(states, weights, LOOKED_AT, room)):
                parents[found], actions[found], values[found] = parent, room.actions[k], total + room.worths[k]
                found += 1
        alive = 0
        for k in np.argsort(-values[:found]):
            later[alive] = now[parents[k]]
            push(later[alive], actions[k])
            deal_seeded(later[alive], seed)
            words[alive] = word_of(later[alive], np.uint64(0))
            met = False
            for other in range(alive):  # two ways to the same position; ends have no actions that would tell them apart
                met |= words[other] == words[alive] and later[alive]["end"] == 0
            alive += not met
            if alive == width:
                break
        for k in range(alive):
            now[k] = later[k]
    return best


def totals_of(agent: ValueAgent, games: int, seed: int, width: int = _WIDTH) -> np.ndarray:
    """Return the total found in each of some games, int64, (games,), with the seeds from ``seed`` on."""
    rules, setup = agent.rules, agent.rules.setup()
    if setup.players > 1 and not rules.verbs.TEAM:
        raise BadSetup(f"game {rules.name!r}: expected one player, or a team")
    now, later = np.zeros(width, rules.state), np.zeros(width, rules.state)
    room, search = rules.compiled(new_room)(), rules.compiled(widest)
    seeds = range(seed, seed + games)
    return np.array(
        [search(now, later, np.uint64(one), setup.common(), agent.weights, room) for one in seeds], np.int64
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    parse = parser("python -m agents.players.clairvoyant", __doc__)
    parse.add_argument("agent", type=Path, help="folder of a run that learnt values")
    parse.add_argument("--game", choices=known_games(), help="the game (default: that of the agent)")
    parse.add_argument("--games", type=int, default=100, metavar="N", help="how many (default: 100)")
    parse.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the first game (default: 0)")
    parse.add_argument("--width", type=int, default=_WIDTH, metavar="N", help=f"positions kept (default: {_WIDTH})")
    o = parse.parse_args(arguments)

    def work() -> None:
        agent = load_values(o.agent)
        if o.game and rules_of(o.game) is not agent.rules:
            raise BadSetup(f"{o.agent} plays {agent.rules.name}, not {o.game}")
        if min(o.games - 1, o.width) < 1 or o.seed < 0:
            raise BadSetup("expected --games of at least 2, --width of at least 1 and --seed of at least 0")
        totals = totals_of(agent, o.games, o.seed, o.width)
        told = f"mean {mean_estimate(totals.astype(float)).text(1)} ({LEVEL_TEXT}), best {totals.max()}"
        print(f"{agent.rules.name}, order known, by a beam of {o.width}, {o.games} games from seed {o.seed}: {told}")

    return ended("python -m agents.players.clairvoyant", work)


if __name__ == "__main__":
    raise SystemExit(main())
