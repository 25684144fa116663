"""A comparison from beginning to end: schedule, games, statistics."""

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.statistics import Estimate, mean_estimate, ratio_estimate
from bohemian_env.engine.checks import is_truth, is_whole
from bohemian_env.engine.contract import Rules, Setup
from bohemian_env.engine.errors import brief
from bohemian_env.games import GAMES, rules_for, rules_of

from .kept import Kept, fingerprint
from .luck import no_luck
from .play import GAMES_AT_ONCE, GAMES_LESS_LUCK, Entrant, Played, games_at_once_of
from .rating import rate
from .schedule import BadTournament, Chunk, LineUp, check_line_up, chunks, line_ups, whole_blocks
from .statistics import Result, Table, lead_of_first, summarise, summarise_team, total_of_blocks
from .sure import Sure, Verdict
from .workers import check_ray, play_chunks

_MOST_GAMES: Final = 100_000_000  # the most games of a comparison, which has the results of all of them in memory


@dataclass(frozen=True, slots=True)
class Comparison:
    """What :func:`compare` found, and under which conditions."""

    entrants: tuple[Entrant, ...]
    """All that played, the runs of a group one by one."""
    names: tuple[str, ...]
    """What tables are about, and number: entrants, but a group of runs once."""
    members: tuple[tuple[int, ...], ...]
    """The entrants of each of them: one, or the runs of a group."""
    runs: tuple[Table, ...]
    """The tables at which runs of groups played, by numbers of entrants; none without groups."""
    setup: Setup
    rules: Rules
    """The game."""
    team: bool
    """Whether results are totals: all seats play for one result, or one agent has all of them."""
    games_asked: tuple[int, ...]
    """Games that were asked for, by table; those played fill whole blocks."""
    seed: int
    """The seed of the first block of every table; the following blocks have the following seeds."""
    tables: tuple[Table, ...]
    totals: np.ndarray
    """Mean final total of each, over all its seats and games: float64, (names,); nan for one that sat at no table."""
    turns: Estimate
    """Length of a game in turns, over all tables; each counts as its games do."""
    verdict: Verdict | None
    """What a sequential test said, if one was asked when to stop."""
    decisions: np.ndarray
    """Decisions of each between two or more legal actions. int64, (names,)."""
    seconds: np.ndarray
    """Wall time that each took for them, in seconds. float64, (names,)."""
    anchor: int | None
    """The number of that whose rating is 1000; None where the mean of all is."""
    ratings: tuple[Estimate, ...]
    """The rating of each, in Elo points; none where results are totals."""
    kept: Kept | None
    """Where the finished games lie; to be removed when they are needed no more."""

    @property
    def results(self) -> list[Result]:
        """The results of all tables and agents, in order."""
        return [result for table in self.tables for result in table.results]

    @property
    def games(self) -> int:
        """Games of all tables."""
        return sum(table.games for table in self.tables)

    @property
    def ends(self) -> dict[str, int]:
        """Games of all tables by how they ended, in the words of the game record."""
        return {end: sum(table.ends[end] for table in self.tables) for end in self.tables[0].ends}

    def milliseconds_per_move(self, entrant: int) -> float:
        """Return the mean time of a decision of this one between two or more actions, among many at once."""
        return 1e3 * float(self.seconds[entrant]) / max(1, int(self.decisions[entrant]))


def compare(
    entrants: Sequence[Entrant],
    setup: Setup | None = None,
    *,
    games: int = 2000,
    seed: int = 0,
    tables: str = "all",
    schedule: Sequence[tuple[LineUp, int]] | None = None,
    games_at_once: int = GAMES_AT_ONCE,
    jobs: int = 1,
    ray: str | None = None,
    work: str | Path | None = None,
    fresh: bool = False,
    begin: Callable[[int, int], None] | None = None,
    progress: Callable[[int], None] | None = None,
    tell: Callable[[str], None] | None = None,
    record: Callable[[dict[str, Any]], None] | None = None,
    luck: bool | None = None,
    sure: Sure | None = None,
) -> Comparison:
    """Let the tables that the entrants can form meet the same chance, everyone from every seat.

    Args:
        entrants: as :func:`agents.tournament.enter` makes them, two or more.
        setup: of all games, of any game; by default that of the first of ``GAMES``, two players on the shipped board.
        games: how many at each table; rounded up so that each seed is played in every rotation.
        seed: the seed of the first block of games at every table.
        tables: which tables, a name of ``SEATINGS``. A group of runs sits at them as one agent, and each table is
            played by the first run, then by the second; of two groups the first runs meet, and so on.
        schedule: tables and the games of each, in place of ``tables`` and ``games``; no table twice.
        games_at_once: games in one batch at most; an agent may ask for fewer, and fewer are played where luck is worked
            out, unless a test looks at them.
        jobs: processes that play, at most; few games need only one. A script that asks for more must be a file, and do
            so under ``if __name__ == "__main__":``, since each process imports it.
        ray: HOST:PORT of the head of a Ray cluster, all of whose cores play in place of ``jobs`` processes here.
        work: folder in which finished games are kept until ``Comparison.kept.remove()``; a later call with the same
            arguments takes what is there and plays the rest. None: nothing is kept.
        fresh: delete what is kept of this tournament, and play all.
        begin: called once everything was checked, with the number of all games and of those that were kept.
        progress: called with the number of games that ended since it was last called.
        tell: called with a sentence when a machine of the cluster gets no work or is lost.
        record: called with the record of each finished game, table by table and seed by seed.
        luck: whether to take the luck of the dice out of the win shares, which then need fewer games; by default at
            tables with a program or an agent that searches, which mostly think longer about a game than that takes.
        sure: a test that ends the comparison as soon as it has a verdict on the first agent of the only table, alone
            among copies of another; or on the totals of the first of two tables, one for each agent. It looks at the
            games in the order of their seeds, so that its verdict does not depend on ``jobs``. Only the margin of the
            given one is used.

    Raises:
        BadTournament: too few entrants, games or jobs, tables that the entrants cannot form, a size of table at which
            one does not play, seeds out of range, a ``work`` that cannot be written to (CannotKeep), an entrant that
            cannot be made in another process, processes that cannot begin, or no cluster at the address on which it
            can be.
        IllegalMove: an agent chose an action that is not legal.
        BadForeign: somebody else's did, or failed.
        OSError: finished games can no longer be kept.
    """
    setup = rules_of(GAMES[0]).setup() if setup is None else setup
    if not isinstance(setup, Setup):
        raise BadTournament(f"{brief(setup)} is not the set-up of games: Setup.of makes one")
    rules = rules_for(setup)
    if not is_whole(jobs, 1):
        raise BadTournament(f"{jobs} jobs: at least 1 process must play")
    if ray is not None:
        check_ray(ray)
    if not is_whole(games_at_once, 1):
        raise BadTournament(f"{brief(games_at_once)} games at once: at least 1 must be played")
    if not is_truth(fresh):
        raise BadTournament(f"fresh {brief(fresh)} is not True or False")
    if not (luck is None or is_truth(luck)):
        raise BadTournament(f"luck {brief(luck)} is not True, False or None")
    if not isinstance(sure, Sure | None):
        raise BadTournament(f"sure {brief(sure)} is not a Sure or None")
    if not (work is None or isinstance(work, str | Path)):
        raise BadTournament(f"{brief(work)} is not the path of a folder")
    for entrant in entrants:
        if not isinstance(entrant, Entrant):
            raise BadTournament(f"{brief(entrant)} is no Entrant: enter() makes them of names, paths and objects")
        if (other := getattr(entrant.agent, "rules", rules)) is not rules:
            raise BadTournament(f"{entrant.name} plays {other.name}, not {rules.name}")
        if (sizes := getattr(entrant.agent, "sizes", None)) and setup.players not in sizes:
            raise BadTournament(f"{entrant.name} plays with {', '.join(map(str, sizes))} players, not {setup.players}")
        if not entrant.argument and (jobs > 1 or work is not None):
            raise BadTournament(f"{entrant.name} is an object: only python:FILE plays in other processes, or is kept")
    names, members = _sides(entrants)
    one_result = rules.verbs.TEAM or setup.players == 1
    if schedule is None:
        schedule = [(line_up, games) for line_up in line_ups(tables, len(names), setup.players, one_result)]
    team = one_result or (len(schedule) > 0 and all(len(line_up.agents) == 1 for line_up, _ in schedule))
    _check_schedule(schedule, len(names), setup.players, team)
    unknown = no_luck(setup, team, [entrant.agent for entrant in entrants])
    if luck and unknown:
        raise BadTournament(unknown)
    plans: list[list[Chunk]] = []
    full = 0.0  # what there is to play, in chunks that are full
    for line_up, asked in schedule:
        plans.append([])
        for own in _by_runs(line_up, members):
            all_alike = sure is not None and team  # so that both tables have the same chunks
            sitting = LineUp(tuple(range(len(entrants)))) if all_alike else own
            size = games_at_once_of(sitting, entrants, games_at_once)
            long = any(hasattr(entrants[number].agent, "games_at_once") for number in own.agents)
            lucky = (long and not unknown) if luck is None else luck
            size = min(size, GAMES_LESS_LUCK) if lucky and sure is None else size
            plans[-1] += chunks(own, whole_blocks(asked, own.rotations), seed, size, lucky)
            full += asked / size
    jobs = min(jobs, max(1, int(full)))  # for less, a process is not worth its start
    if sure is not None:
        _check_sure(sure, team, schedule, members)
    plan = [*chain.from_iterable(plans)]
    if team and sure is not None:  # it looks at both tables as they are played
        plan = [*chain.from_iterable(zip(*plans, strict=True))]

    test = None if sure is None else Sure(sure.margin, team)  # what another comparison found stays out
    kept = None if work is None else Kept(work, fingerprint(plan, entrants, setup, record is not None), rules.name)
    if kept:
        kept.prepare(fresh)

    def enough(first: Sequence[Played]) -> bool:
        if test is None or (team and len(first) % 2):
            return False
        if not team:
            return test.look(lead_of_first(schedule[0][0], Played.join(first)))
        one, other = (total_of_blocks(Played.join(first[k::2])) for k in range(2))
        return test.look(one - other, 2 * float(np.std(np.concatenate([one, other]))))

    play = partial(
        play_chunks,
        entrants=entrants,
        setup=setup,
        jobs=jobs,
        ray=ray,
        progress=progress or (lambda _: None),
        tell=tell or (lambda _: None),
        records=record is not None,
    )
    try:
        parts = [*zip(plan, _play(plan, len(entrants), kept, begin, play, record, enough), strict=False)]
    finally:
        if kept:
            kept.release()
    by_runs: list[list[tuple[LineUp, Played]]] = [
        [
            (own, Played.join([part for chunk, part in parts if chunk.line_up == own]))
            for own in _by_runs(line_up, members)
        ]
        for line_up, _ in schedule
    ]
    played = [_together([part for _, part in own], members) for own in by_runs]
    line_ups_played = [line_up for line_up, _ in schedule]
    found = _summarised(line_ups_played, played, team, rules)
    runs: list[Table] = []
    if len(names) < len(entrants):
        groups = [_summarised([one for one, _ in own], [part for _, part in own], team, rules) for own in by_runs]
        runs = [*chain.from_iterable(groups)]
        found = [_over_runs(table, own, members) for table, own in zip(found, groups, strict=True)]
    first = [entrants[own[0]].argument for own in members]
    anchor = next((number for number, argument in enumerate(first) if argument == "greedy" and not team), None)
    return Comparison(
        entrants=tuple(entrants),
        names=names,
        members=members,
        runs=tuple(runs),
        setup=setup,
        rules=rules,
        team=team,
        games_asked=tuple(asked for _, asked in schedule),
        seed=seed,
        tables=tuple(found),
        totals=_mean_totals(played, len(names)),
        turns=_turns(played),
        verdict=test.verdict if test else None,
        decisions=np.sum([one.decisions for one in played], axis=0),
        seconds=np.sum([one.seconds for one in played], axis=0),
        anchor=anchor,
        ratings=() if team else rate(found, anchor),
        kept=kept,
    )


def _sides(entrants: Sequence[Entrant]) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Return what tables number: the name of each entrant that stands for itself, and of each group, with its runs."""
    found: dict[tuple[str, int], list[int]] = {}
    for number, entrant in enumerate(entrants):
        found.setdefault((entrant.group, 0) if entrant.group else ("", 1 + number), []).append(number)
    names = tuple(group or entrants[own[0]].name for (group, _), own in found.items())
    return names, tuple(map(tuple, found.values()))


def _by_runs(line_up: LineUp, members: Sequence[tuple[int, ...]]) -> list[LineUp]:
    """Return the tables of entrants that a table stands for: with groups, one for each run of the largest."""
    most = max(len(members[number]) for number in line_up.order)
    return [LineUp(tuple(members[number][k % len(members[number])] for number in line_up.order)) for k in range(most)]


def _together(parts: Sequence[Played], members: Sequence[tuple[int, ...]]) -> Played:
    """Return the games of all runs as those of one table, by numbers of sides: a block has all games of a seed."""
    side = np.empty(sum(map(len, members)), np.int64)
    for number, own in enumerate(members):
        side[list(own)] = number
    if len(parts) == 1 and len(side) == len(members):
        return parts[0]
    joined = Played.join(parts, axis=1)
    decisions, seconds = (np.bincount(side, each, len(members)) for each in (joined.decisions, joined.seconds))
    return replace(joined, seating=side[joined.seating], decisions=decisions.astype(np.int64), seconds=seconds)


def _summarised(line_ups: Sequence[LineUp], played: Sequence[Played], team: bool, rules: Rules) -> list[Table]:
    if not team:
        return [summarise(line_up, one, rules) for line_up, one in zip(line_ups, played, strict=True)]
    first = total_of_blocks(played[0])
    return [summarise_team(line_up, one, first, rules) for line_up, one in zip(line_ups, played, strict=True)]


def _over_runs(table: Table, runs: Sequence[Table], members: Sequence[tuple[int, ...]]) -> Table:
    """Return a table with intervals over the runs that played it, where there are several."""
    if len(runs) < 2:
        return table
    if table.score is not None:
        each = np.array([one.score.total.value for one in runs if one.score is not None])
        return replace(table, score=replace(table.score, over_runs=mean_estimate(each)))
    results = [
        replace(result, over_runs=mean_estimate(np.array([one.results[k].share.value for one in runs])))
        for k, result in enumerate(table.results)
    ]
    return replace(table, results=tuple(results))


def _check_sure(
    sure: Sure, team: bool, schedule: Sequence[tuple[LineUp, int]], members: Sequence[tuple[int, ...]]
) -> None:
    """Raise BadTournament unless there is what a sequential test needs."""
    if any(len(own) > 1 for own in members):
        raise BadTournament("a sequential test needs single agents, and a group of runs is none")
    if sure.team != team:
        raise BadTournament(
            f"a sequential test of {'totals' if team else 'win shares'} is asked for: Sure(team={team})"
        )
    if team and not (len(schedule) == 2 and all(len(line_up.agents) == 1 for line_up, _ in schedule)):
        raise BadTournament("a sequential test of totals needs two tables, each of one agent alone")
    if not team and (len(schedule) != 1 or not schedule[0][0].is_duel):
        raise BadTournament("a sequential test needs one table, at which one agent is alone among copies of another")


def _check_schedule(schedule: Sequence[tuple[LineUp, int]], entrants: int, players: int, team: bool) -> None:
    """Raise BadTournament for a table that cannot be played or is there twice, and for too many games."""
    if not schedule:
        raise BadTournament("a schedule without a table: there is nothing to play")
    met = set()
    for line_up, _ in schedule:
        check_line_up(line_up, entrants, players, team)
        if (seats := tuple(sorted(line_up.order))) in met:
            raise BadTournament(f"table {line_up.order}: the schedule has it twice")
        met.add(seats)
    if (games := sum(whole_blocks(asked, one.rotations) * one.rotations for one, asked in schedule)) > _MOST_GAMES:
        games = min(games, 10**15)  # as a message can show it
        raise BadTournament(f"{games:,} games at all tables together: at most {_MOST_GAMES:,} can be compared")


def _play(
    plan: Sequence[Chunk],
    entrants: int,
    kept: Kept | None,
    begin: Callable[[int, int], None] | None,
    play: Callable[[dict[int, Chunk]], Generator[tuple[int, Played], None, None]],
    record: Callable[[dict[str, Any]], None] | None,
    enough: Callable[[Sequence[Played]], bool],
) -> list[Played]:
    """Return the games of all chunks, kept or played; records are told in the order of the plan and then forgotten.

    entrants: their number. play: plays chunks, and gives each by its number when it is finished. enough: asked about
    the first chunks of the plan each time that there is one more, it may end the playing there.
    """
    records = record is not None
    done: dict[int, Played] = {}
    if kept:
        loaded = ((number, kept.load(number, chunk, entrants, records)) for number, chunk in enumerate(plan))
        done = {number: part for number, part in loaded if part is not None}
    if begin is not None:
        begin(sum(chunk.games for chunk in plan), sum(plan[number].games for number in done))
    missing = {number: chunk for number, chunk in enumerate(plan) if number not in done}
    first: list[Played] = []

    def told() -> bool:
        """Take what has joined the first chunks; return whether that is all."""
        while len(first) in done:
            part = done.pop(len(first))
            for game in part.records:
                if record is not None:
                    record(game)
            first.append(replace(part, records=()))
            if enough(first):
                return True
        return len(first) == len(plan)

    if told():
        return first
    with contextlib.closing(play(missing)) as playing:
        for number, part in playing:
            if kept:
                kept.save(number, part)
            done[number] = part
            if told():
                break
    return first


def _mean_totals(played: Sequence[Played], entrants: int) -> np.ndarray:
    """Return the mean final total of each: float64, (entrants,); nan where it sat nowhere."""
    seating, totals = (np.concatenate([getattr(one, name).ravel() for one in played]) for name in ("seating", "totals"))
    seats = np.bincount(seating, minlength=entrants)
    return np.bincount(seating, totals, minlength=entrants) / np.where(seats > 0, seats, np.nan)


def _turns(played: Sequence[Played]) -> Estimate:
    """Return the length of a game; the games of a seed, at all tables, are one observation."""
    most = max(len(one.turns) for one in played)
    sums, games = np.zeros(most), np.zeros(most)
    for one in played:
        sums[: len(one.turns)] += one.turns.sum(axis=1)
        games[: len(one.turns)] += one.turns.shape[1]
    return ratio_estimate(sums, games)
