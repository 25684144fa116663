"""What is counted of an agent's games, against a plain count over records and the moves of ``Game``."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from agents.analysis import ROLLS, Log, Turn, counts, first_offers, first_turns, play, play_book
from agents.analysis.counts import Answer
from agents.analysis.estimates import mean_of, ratio_of, share_of
from agents.analysis.moves import EMPTY, GO_ON, OVER, TIE, WHAT, WIN
from agents.common.statistics import Estimate, share_estimate
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent
from bohemian_env import Batch, Game
from bohemian_env.envs.advice import STANDING, advise
from bohemian_env.game.facts import KINDS

SEED = 900
GAMES = 25


def small_agent() -> PolicyAgent:
    """One that plays at random, but for the seed always the same."""
    torch.manual_seed(1)
    return PolicyAgent(PolicyNet(Shape((8,), (8,), (8,))), seed=1, sample=True)


@pytest.fixture(scope="module", params=[2, 4])
def log(request: pytest.FixtureRequest) -> Log:
    return play(small_agent(), request.param, GAMES, SEED)


@pytest.fixture(scope="module")
def replayed(log: Log) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Of each game the record, and the position before each decision: the actions of the log, played once more."""
    found = []
    for game in range(log.games):
        batch = Batch(1, log.players, autoreset=False)
        batch.reset(SEED + game)
        positions = []
        for action in log.decisions["action"][log.decisions["game"] == game]:
            positions.append(batch.state_dict(0))
            batch.step([int(action)])
        assert batch.over.all()
        found.append((batch.record(0), positions))
    return found


def what(text: str) -> str:
    """The entry of WHAT that a move's text means."""
    if "@" in text:
        return text.partition(":")[2].partition("@")[0]
    return text.partition(":")[2] or text.split()[0]


def moves(replayed: list[tuple[dict[str, Any], list[dict[str, Any]]]]) -> list[list[tuple[int, int, str, int]]]:
    """Of each game the moves: turn from 1, seat, what, and who was kicked out, -1 for nobody."""
    return [
        [
            (number, turn["seat"], what(move["move"]), move.get("kicked", -1))
            for number, turn in enumerate(record["turns"], 1)
            for move in turn.get("moves", [])
        ]
        for record, _ in replayed
    ]


def share(answer: Any) -> tuple[Any, int]:
    assert isinstance(answer, Answer)
    return pytest.approx(answer.estimate.value, nan_ok=True), answer.count


def mean(answer: Any) -> float:
    assert isinstance(answer, Estimate)
    return answer.value


def part(flags: list[bool]) -> tuple[float, int]:
    return (sum(flags) / len(flags) if flags else math.nan), len(flags)


# --- the log ----------------------------------------------------------------------------------------------------


def test_every_decision_is_as_the_record_has_it(log: Log, replayed: Any) -> None:
    for game, expected in enumerate(moves(replayed)):
        d = log.decisions[log.decisions["game"] == game]
        assert [(r["turn"], r["seat"], WHAT[r["what"]], r["kicked"]) for r in d] == expected
        assert [m["over"] for m in d] == [False] * (len(d) - 1) + [True]


def test_hands_offers_and_leads_are_those_of_the_positions(log: Log, replayed: Any) -> None:
    for game, (_, positions) in enumerate(replayed):
        d = log.decisions[log.decisions["game"] == game]
        for row, position in zip(d, positions, strict=True):
            assert row["hand"] == position["figures"][row["seat"]]
            assert row["begins"] == (len(position["dice"]) == 4 and not position["spent_special_this_turn"])
        for row, position in list(zip(d, positions, strict=True))[::7]:
            legal = Game.from_position(position).legal_moves
            offered = {WHAT.index(what(move)) for move in legal}
            assert {k for k in range(len(WHAT)) if row["offered"] >> k & 1} == offered
            assert row["choice"] == (len(legal) > 1)
        for row, later in itertools.pairwise(d):
            if row["seat"] == later["seat"] and row["turn"] == later["turn"]:
                assert row["left"] == later["hand"]


def ends_of_turn(game: Game, seat: int) -> Iterator[Game]:
    """All games in which the turn of ``seat`` may end without rolling again."""
    for move in game.legal_moves:
        if not move.startswith("reroll"):
            after = game.push(move)
            if after.over or after.needs_roll or after.to_move != seat:
                yield after
            else:
                yield from ends_of_turn(after, seat)


def test_what_a_turn_can_lead_to_is_found_by_trying_all_of_it(log: Log, replayed: Any) -> None:
    seen: Counter[int] = Counter()
    for game, (_, positions) in enumerate(replayed):
        d = log.decisions[log.decisions["game"] == game]
        for row, position in zip(d, positions, strict=True):
            seat = int(row["seat"])
            following = position["figures"][(seat + 1) % log.players]
            if not row["begins"] or (position["figures"][seat] > 2 and following > 0):
                assert row["can"] == 0
                continue
            if seen.total() > 40 and seen[int(row["can"])] > 2:
                continue
            found = 0
            for after in ends_of_turn(Game.from_position(position), seat):
                outcome = after.outcome()
                if outcome is None:
                    found |= GO_ON | EMPTY if after.figures[seat] == 0 else GO_ON
                else:
                    level = TIE if len(outcome.winners) > 1 else WIN
                    found |= OVER | level if seat in outcome.winners else OVER
            assert row["can"] == found
            seen[found] += 1
    assert {bit for can in seen for bit in (EMPTY, GO_ON, OVER, WIN) if can & bit} == {EMPTY, GO_ON, OVER, WIN}


def test_totals_shares_and_chances(log: Log, replayed: Any) -> None:
    for game, (record, _) in enumerate(replayed):
        assert log.totals[game].tolist() == [row["total"] for row in record["scoring"]]
        assert np.flatnonzero(log.won[game]).tolist() == record["winners"]
        assert log.coins_by_source[game].sum(axis=1).tolist() == log.totals[game].tolist()
    assert np.allclose(log.shares.sum(axis=1), 1)
    assert np.allclose(log.decisions["chances"].sum(axis=1), 1)


# --- openings ---------------------------------------------------------------------------------------------------


def as_turn(done: list[str]) -> Turn:
    return tuple(sorted((name for name in done if name != "end"), key=WHAT.index))


def test_first_turns_and_what_they_could_have_been(log: Log, replayed: Any) -> None:
    turns, offers = first_turns(log), first_offers(log)
    for game, (all_moves, (_, positions)) in enumerate(zip(moves(replayed), replayed, strict=True)):
        assert turns[game] == as_turn([name for turn, _, name, _ in all_moves if turn == 1])
        if game < 6:
            start, found = Game.from_position(positions[0]), set()
            for first in start.legal_moves:
                found.add(as_turn([what(first)]))
                after = start.push(first)
                if not after.needs_roll:
                    found |= {
                        as_turn([what(first), what(second)]) for second in after.legal_moves if what(second) != "reroll"
                    }
            assert offers[game] == found
            assert turns[game] in found or "reroll" in turns[game]


def test_the_book_has_every_roll_on_every_board() -> None:
    book = play_book(small_agent(), 3, 4, SEED)
    assert list(book) == list(ROLLS)
    assert len(ROLLS) == 126
    assert all(turns.total() == 4 for turns in book.values())
    # Four ones allow two bakeries, a dairy, the bishop and a tile, of which two may be done with two dice each.
    allowed = {"bakery", "dairy", "butchery", "bishop", "special", "reroll"}
    assert {name for turn in book[1, 1, 1, 1] for name in turn if "reroll" not in turn} <= allowed
    assert all({"manor", "special", "reroll", "bishop"} & set(turn) for turn in book[6, 6, 6, 6])


# --- counts -----------------------------------------------------------------------------------------------------


def test_kinds_and_kicks(log: Log, replayed: Any) -> None:
    played = [
        (min(3 * (turn - 1) // len(record["turns"]), 2), name, kicked)
        for all_moves, (record, _) in zip(moves(replayed), replayed, strict=True)
        for turn, _, name, kicked in all_moves
        if name in KINDS
    ]
    found: dict[str, Any] = dict(counts.kicks(log))
    placed = counts.placed(log)
    whole = found["kicks, of the figures placed"]
    assert share(whole) == part([kicked >= 0 for *_, kicked in played])
    assert mean(found["kicks of a game"]) == pytest.approx(sum(kicked >= 0 for *_, kicked in played) / GAMES)
    for phase, answer in enumerate(found["… early / middle / late, %"]):
        here = [(name, kicked) for third, name, kicked in played if third == phase]
        assert share(answer) == part([kicked >= 0 for _, kicked in here])
        for kind in KINDS:
            assert share(placed[kind][1 + phase]) == part([name == kind for name, _ in here])
    for kind in KINDS:
        answer = found[f"… of those placed on: {counts.NAMES[kind]}"]
        assert share(answer) == part([kicked >= 0 for _, name, kicked in played if name == kind])
    assert sum(answers[0].estimate.value for answers in placed.values()) == pytest.approx(1)
    assert whole.estimate.value > 0


def test_how_often_something_is_chosen_where_it_can_be(log: Log, replayed: Any) -> None:
    found: dict[str, list[bool]] = {name: [] for name in WHAT}
    for all_moves, (_, positions) in zip(moves(replayed)[:5], replayed[:5], strict=True):
        for (*_, name, _), position in zip(all_moves, positions, strict=True):
            legal = Game.from_position(position).legal_moves
            if len(legal) > 1:
                for offer in {what(move) for move in legal}:
                    found[offer].append(name == offer)
    few = replace(log, decisions=log.decisions[log.decisions["game"] < 5])
    offers = counts.offers(few)
    assert len(offers) > 10
    for name, answers in offers.items():
        assert share(answers[0]) == part(found[name])


def test_bishop_and_tiles(log: Log, replayed: Any) -> None:
    found, all_moves = counts.tiles(log), moves(replayed)
    names = [name for game in all_moves for *_, name, _ in game]
    assert mean(found["bishop taken, times a game"]) == pytest.approx(names.count("bishop") / GAMES)
    assert mean(found["tiles taken, a seat and game"]) == pytest.approx(names.count("special") / GAMES / log.players)
    assert mean(found["tiles spent, a seat and game"]) == pytest.approx(names.count("reroll") / GAMES / log.players)
    rolled = [
        len(move["move"].split(",")) for r, _ in replayed for t in r["turns"] for move in t["moves"] if "rolled" in move
    ]
    for dice in (1, 2, 3, 4):
        assert share(found[f"… to roll again, dice: {dice}"]) == part([n == dice for n in rolled])
    at_once = [
        any(what(m["move"]) == "special" for m in t["moves"])
        for r, _ in replayed
        for t in r["turns"]
        for move in t["moves"]
        if "rolled" in move
    ]
    assert share(found["… in the turn in which it was taken"]) == part(at_once)


def test_endings(log: Log, replayed: Any) -> None:
    found = counts.endings(log)
    records = [record for record, _ in replayed]
    turns = found["turns of a game, all seats together"]
    assert mean(turns) == pytest.approx(np.mean([len(r["turns"]) for r in records]))
    ends = Counter(r["end"] for r in records)
    assert all(found[f"games that ended by: {end}"] == ends[end] for end in ("no figures", "bank empty", "truncated"))
    seats = [(len(r["turns"]) % log.players, r) for r in records if r["end"] == "no figures"]
    for seat in range(log.players):
        assert share(found[f"games ended by seat {seat}"]) == part([ending == seat for ending, _ in seats])
    leads, wins = [], []
    for seat, record in seats:
        totals = [row["total"] for row in record["scoring"]]
        leads.append(totals[seat] - max(total for other, total in enumerate(totals) if other != seat))
        wins.append((seat in record["winners"]) / len(record["winners"]))
        assert Game.from_record(record).figures[seat] == 0
    assert mean(found["its lead over the best other, coins"]) == pytest.approx(np.mean(leads))
    assert share(found["wins of the ending seat"])[0] == pytest.approx(np.mean(wins))
    hands = np.array([Game.from_record(record).figures for record in records])
    in_hand = [mean(found[f"figures in hand: seat {seat}"]) for seat in range(log.players)]
    assert in_hand == pytest.approx(hands.mean(axis=0))


def test_last_figures_and_last_words(log: Log) -> None:
    """Counted turn by turn, in plain Python."""
    did: dict[str, list[bool]] = {name: [] for name in counts.LEADS}
    held, won, lost = [], [], []
    for game in range(log.games):
        d = log.decisions[log.decisions["game"] == game]
        for turn in sorted(set(d["turn"].tolist())):
            first, *_ = rows = d[d["turn"] == turn]
            last, can, lead = rows[-1], int(first["can"]), int(first["lead"])
            emptied = bool(last["left"] == 0 and not last["over"])
            if can & EMPTY:
                did["ahead" if lead > 0 else "behind" if lead < 0 else "level"].append(emptied)
            if emptied:
                later = d[(d["turn"] > turn) & (d["seat"] == first["seat"])]
                over = log.states["end"][game] == 1 and log.states["turn"][game] % log.players == first["seat"]
                held.append(bool(over and log.states["turn"][game] == turn + log.players - 1 and not len(later)))
            if can & OVER and can & GO_ON:
                if can & WIN:
                    won.append(bool(last["over"]))
                elif not can & TIE:
                    lost.append(bool(last["over"]))
    found = {name: share(answer) for name, answer in counts.emptying(log).items()}
    kept = found.pop("it held: the game ended a round later")
    assert found == {name: part(did[name]) for name in did}
    assert kept == part(held)
    assert [share(answer) for answer in counts.ending_at_once(log).values()] == [part(won), part(lost)]
    assert won or lost


def test_planner_and_agent_alike_never_differ() -> None:
    """Where the agent takes the planner's best action, nothing differs and nothing is lost."""

    class Planner(PolicyAgent):
        def show(self, states: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
            observations, masks, _ = super().show(states, games)
            self.behind = advise(states, games)[:, STANDING:]
            return observations, masks, None

        def choose(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
            return np.where(masks.astype(bool), self.behind, -np.inf).argmax(axis=1)

    agent = Planner(PolicyNet(Shape((8,), (8,), (8,))))
    alike = play(agent, 2, 6, SEED)
    found = counts.planner(alike)
    assert share(found["decisions that differ"])[0] == 0
    assert mean(found["coins given away by a seat in a game"]) == 0
    log = play(small_agent(), 2, 6, SEED)
    other: dict[str, Any] = dict(counts.planner(log))
    assert other["decisions that differ"].estimate.value > 0.5
    assert mean(other["coins given away where it differs"]) > 1
    to, away = (sum(pair[k].value for pair in counts.instead_of_planner(log).values()) for k in (0, 1))
    assert to == pytest.approx(away)  # each time, something is done in the place of something else


def test_seats_sources_and_chances(log: Log) -> None:
    assert sum(share.value for share, _ in counts.seats(log)) == pytest.approx(1)
    sources = counts.coin_sources(log)
    winners = np.mean([log.totals[game][log.won[game]].mean() for game in range(log.games)])
    assert sum(parts[0].value for parts in sources.values()) == pytest.approx(winners)
    winners, others = counts.chances_over_time(log)
    assert len(winners) == len(others) == 10
    assert winners[-1].value > others[-1].value + 0.2  # near the end it is known


# --- intervals --------------------------------------------------------------------------------------------------


def test_intervals_of_single_cases_are_near_those_of_tournaments() -> None:
    flags = (np.arange(400) % 10 < 3).astype(float)
    found, usual = share_of(flags, np.arange(400)), share_estimate(flags)
    assert (found.value, found.low, found.high) == pytest.approx((usual.value, usual.low, usual.high), abs=2e-3)


def test_cases_of_one_game_count_as_one_if_they_are_alike() -> None:
    flags = np.arange(100) % 2
    once = share_of(flags, np.arange(100))
    often = share_of(np.repeat(flags, 20), np.repeat(np.arange(100), 20))
    assert (often.low, often.high) == pytest.approx((once.low, once.high))
    assert ratio_of(np.repeat(flags, 20), np.repeat(np.arange(100), 20)).low == pytest.approx(mean_of(flags * 1.0).low)


def test_intervals_stay_open_where_little_is_known() -> None:
    assert (share_of(np.ones(50), np.arange(50)).low, share_of(np.ones(50), np.arange(50)).high) == (
        pytest.approx(0.925, abs=0.005),
        1.0,
    )
    assert share_of(np.ones(50), np.zeros(50, int)).low == 0
    assert math.isnan(share_of(np.zeros(0), np.zeros(0, int)).value)
    assert math.isnan(mean_of(np.array([np.nan])).value)
    assert mean_of(np.array([np.nan, 2.0, 4.0])).value == 3
