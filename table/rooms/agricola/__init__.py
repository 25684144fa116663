"""Agricola at the table. telling.py says what is done, for the log and before it is done; reasons.py, what speaks for a
move.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents.positions import points
from bohemian_env.agricola import decisions as d
from bohemian_env.agricola import legal
from bohemian_env.agricola import pieces as p
from bohemian_env.agricola.draw.board import draw_board
from bohemian_env.agricola.draw.palette import PALETTE
from bohemian_env.agricola.draw.scene import LETTERS
from bohemian_env.agricola.draw.shapes import sign
from bohemian_env.agricola.game import Game
from bohemian_env.agricola.state import FEEDING, WORK
from bohemian_env.agricola.words import FOLDER, counted, goods
from bohemian_env.engine.contract import Action, Outcome
from bohemian_env.engine.words import Words, texts_in
from table.html import filled
from table.room import Act, Chip, Entry, Line, Option, Teller, WeighedRoom, ranked

from . import telling
from .measure import measured
from .reasons import LATER, reasons

_RULINGS: Final = {
    "goal": "A68, A70, A71", "round": "A8–A13", "start": "A16", "house": "A31, A33, A35", "fields": "A38, A39, A51",
    "animals": "A55–A57", "fences": "A43–A46", "harvest": "A18, A60–A66", "food": "A59", "back": "A15, A19",
}  # fmt: skip
"""The rules in a few sentences, with the rulings that each carries out (docs/agricola.md)."""
_TO_THE_END: Final = 300
"""Decisions, more than a round has: in the last one there is no chance, so moves are followed to the end."""
_FACTS: Final = {
    "ROOM_COST": legal.ROOM_COST, "ROOM_REED": legal.ROOM_REED, "STABLE_WOOD": legal.STABLE_WOOD,
    "STABLE_CHEAP": legal.STABLE_WOOD_CHEAP, "GROWTH_FROM": legal.GROWTH_FROM, "ADULT": legal.ADULT[1],
    "ADULT_SOLO": legal.ADULT[0],
}  # fmt: skip


class Agricola(WeighedRoom):
    """See :class:`table.room.Room`. Parts of the drawing are ``space-NAME``, ``major-NAME``, ``round-N`` and
    ``cell-SEAT-b1``; chips tell apart what can be done at the same part.
    """

    costly = (1.0, 2.5, 5.0)
    guests = ranked({"random": 1, "greedy": 2, "planner": 3, "values": 5, "search:values:250": 6})
    steps = (
        ("spaces", "move space-wood"), ("take_back", "next done back"), ("farm", "next farm-0"),
        ("harvest", "next need"), ("fields", "next space-plow space-grain"), ("family", "next space-rooms-stables"),
        ("fences", "next"), ("majors", "next major-fireplace-2"), ("hint", "next hint"), ("score", "next score"),
        ("end", "over"), ("review", "next"),
    )  # fmt: skip

    @property
    def facts(self) -> Mapping[str, object]:
        return _FACTS

    def drawn(self, language: str) -> Mapping[str, str]:
        return texts_in(FOLDER, language)

    def pages(self, words: Words) -> dict[str, Any]:
        majors = [
            {
                "name": major["id"],
                "price": goods(words, major["cost"]),
                "points": major["points"],
                "effect": _effect(major, words),
            }
            for major in p.DATA["major"]
        ]
        return {"points": _RULINGS, "majors": majors, "columns": self.rules.scoring}

    # --- a position ---

    def draw(self, game: Game, names: Sequence[str], before: Game | None, words: Words) -> str:  # type: ignore[override]
        return draw_board(game.state_dict(), names, words, None if before is None else before.state_dict())

    def style(self) -> str:
        return PALETTE.css(None)

    def options(self, game: Game, teller: Teller) -> list[Option]:  # type: ignore[override]
        """See :class:`Room`. What leads to begging cards is asked about."""
        verbs = _verbs(game, teller.words)
        found: list[Option] = []
        for action in game.legal_actions:
            option: Option = {
                "move": d.TEXTS[action],
                "words": telling.order(game, action, teller),
                "at": _at(game, action),
                "with": [verbs[action]] if action in verbs else [],
            }
            if action == d.DONE:
                if game.decision == "feed":
                    option["asks"] = any(key == "beg" for key, _ in telling.steps_of(game.states[0], action))
                else:
                    option["act"] = "stop"
            found.append(option)
        return found

    def chips(self, game: Game, words: Words) -> list[Chip]:  # type: ignore[override]
        """See :class:`Room`: what there is to choose where two things can be done at the same part."""
        verbs = dict.fromkeys(_verbs(game, words).values())
        return [{"value": verb, "words": verb, "look": "verb", "html": verb} for verb in verbs]

    def acts(self, words: Words) -> list[Act]:
        return [{"act": "stop", "words": words("table.stop"), "key": "e"}]

    def panels(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: what the next harvest needs, and what everybody has."""
        words, position = teller.words, game.state_dict()
        seat = _watched(game, teller)
        seats = []
        for number, farm in enumerate(position["farms"]):
            due = _harvest(game, number)
            seats.append(
                {
                    "letter": LETTERS[number],
                    "name": teller.names[number],
                    "goods": [farm[good] for good in p.GOODS],
                    "people": farm["people"],
                    "home": farm["people"] - farm["newborns"] - farm["placed"],
                    "need": due[1] if due else None,
                    "have": due[2] if due else None,
                    "more": due[3] if due else 0,
                    "majors": [entry["major"] for entry in position["majors"] if entry["owner"] == number],
                }
            )
        return filled(
            "rooms/agricola/panels.html", words.language, words, seats=seats, need=self._need(game, seat, words),
            own=seat, short=_short(seats[seat]), signs={good: sign(good) for good in p.GOODS},
            shown=[(good, words(f"good.{good}")) for good in p.GOODS],
        )  # fmt: skip

    def _need(self, game: Game, seat: int, words: Words) -> str:
        """Return what the next harvest takes from a seat, in a sentence."""
        due = _harvest(game, seat)
        if due is None:
            return words("need.over")
        rounds, need, have, more = due
        phase = int(game.states[0]["phase"])
        key = "feeding" if phase == FEEDING else "ahead" if rounds else "now"
        told = words(f"need.{key}", rounds=counted(words, "round", rounds), need=need, have=have)
        return told + (words("need.more", more=more) if more and have < need else "")

    def strip(self, game: Game, teller: Teller) -> list[str]:  # type: ignore[override]
        words, position = teller.words, game.state_dict()
        return [
            words(
                "panel.strip", letter=LETTERS[seat], food=farm["food"], people=farm["people"],
                home=farm["people"] - farm["newborns"] - farm["placed"],
                points=counted(words, "point", position["scores"][seat]["total"]),
            )
            for seat, farm in enumerate(position["farms"])
        ]  # fmt: skip

    def middle(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: who has the marker, and how many cards are to come."""
        who = teller.name(int(game.states[0]["start_player"]))
        return teller.words("panel.middle", who=who, cards=p.ROUNDS - game.turn)

    def about(self, game: Game, words: Words) -> Mapping[str, str]:  # type: ignore[override]
        """See :class:`Room`: what spaces and majors do, and which cards are to come."""
        found = {}
        for space in p.SPACES:
            key = f"about.{space}"
            found[f"space-{space}"] = words(key if key in words else "about.pile")
        for major in p.DATA["major"]:
            found[f"major-{major['id']}"] = _effect(major, words)
        for number in range(game.turn + 1, p.ROUNDS + 1):
            hidden = int(p.STAGE_CARDS[p.STAGE_IN[number - 1]]) & ~int(game.states[0]["shown"])
            cards = [telling.space_name(words, p.CARDS + k, game.players) for k in range(p.ROUNDS) if hidden >> k & 1]
            found[f"round-{number}"] = words("about.to_come", cards=", ".join(cards))
        return found

    def seen(self, game: Game, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: the decision, in short."""
        return words(f"decision.{game.decision}") if game.decision else ""

    def prompt(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        s, words = game.states[0], teller.words
        seat = int(s["to_move"])
        return words(
            f"prompt.{game.decision}",
            material=words(f"good.{p.GOODS[p.HOUSE_OF[s['material'][seat]]]}"),
            fences=p.MOST_FENCES - int(s["sides"][seat]).bit_count(),
            need=int(legal.need(s, seat)),
            food=int(s["goods"][seat, p.FOOD]),
        )

    # --- what happened ---

    def lines(self, moments: Sequence[Game]) -> list[Line]:  # type: ignore[override]
        """See :class:`Room`. What a person does is told once all of it is done."""
        return telling.lines_of(moments)

    def entry(self, line: Line, teller: Teller) -> Entry:
        return super().entry(line, teller) if line.event is None else telling.entry(line, teller)

    def ended(self, outcome: Outcome, teller: Teller) -> str:
        if len(teller.names) == 1:
            total = teller.words.number(outcome.scoring[0]["total"], "d")
            return teller.words("happens.reached", total=total)
        if len(outcome.winners) > 1:
            return super().ended(outcome, teller)
        total = counted(teller.words, "point", outcome.scoring[outcome.winners[0]]["total"])
        return teller.sentence(outcome.winners[0], ("win", {"points": total}))

    def chance(self, due: Game, after: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: the card that was revealed."""
        (line,) = (line for line in telling.lines_of([due, after]) if line.event and line.event[0] == "card")
        return telling.entry(line, teller)["words"]

    # --- what moves are worth ---

    def worth(self, game: Game, asked: Action | None = None) -> dict[Action, float]:  # type: ignore[override]
        return points.worth(game, asked, _TO_THE_END if game.turn == p.ROUNDS else points.DEPTH)

    def best(self, game: Game, count: int) -> dict[Action, float]:  # type: ignore[override]
        """See :class:`Room`; of cells to build on or to plow only the best."""
        found: dict[str, tuple[Action, float]] = {}
        for action, value in sorted(self.worth(game).items(), key=lambda one: -one[1]):
            verb = d.TEXTS[action].partition(" ")[0]
            found.setdefault(verb if verb in ("room", "stable", "plow") else d.TEXTS[action], (action, value))
        return dict([*found.values()][:count])

    def verdict(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`; alone, what agents reach."""
        if game.players > 1:
            return super().verdict(game, teller)
        return self.averages({agent: found["1"]["mean"] for agent, found in measured().items()}, teller.words)

    def strength(self, agent: str, players: int, words: Words) -> str:
        """See :class:`Room`: its mean result, and how often it wins, alone or among planners."""
        found = measured().get(agent, {}).get(str(players))
        if found is None:
            return ""
        told = {"mean": words.number(found["mean"], ".0f"), "number": players - 1}
        if "share" not in found:
            return words("seat.measured" if players == 1 else "seat.measured_like", **told)
        key = "seat.measured_two" if players == 2 else "seat.measured_more"
        return words(key, share=words.number(found["share"], ".0%"), **told)

    def reasons(self, game: Game, move: str, other: str, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: points by column of the score, and what is to come by which goods."""
        found = reasons(game, move, other)
        by = ", ".join(f"{words.number(more, '+d')} {words(f'good.{good}')}" for good, more in found.goods.items())
        return ", ".join(
            words(
                "source.with" if column == LATER and by else "source.more", points=words.number(more, "+.1f"),
                source=words(f"source.{column}"), goods=by,
            )
            for column, more in found.points.items()
        )  # fmt: skip


def _short(seat: Mapping[str, Any]) -> bool:
    return seat["need"] is not None and seat["have"] < seat["need"]


def _watched(game: Game, teller: Teller) -> int:
    """Return the seat whose need is shown: the person's, or that of who is to move."""
    return teller.you if teller.you is not None else int(game.states[0]["to_move"])


def _at(game: Game, action: Action) -> list[str]:
    verb, *names = d.TEXTS[action].split()
    seat = game.to_move
    match verb:
        case "to":
            return [f"space-{names[0]}"]
        case "room" | "stable" | "plow" | "fence":
            return [f"cell-{seat}-{cell}" for cell in names]
        case "sow":
            ((_, raw),) = telling.steps_of(game.states[0], action)
            return [f"cell-{seat}-{raw['cells'][0]}"]
        case "buy":
            return [f"major-{names[0]}"]
    return []


def _verbs(game: Game, words: Words) -> dict[Action, str]:
    """Return what some moves do, in a word: all of a kind of which one is at the same part as one of another kind."""
    if game.decision in (None, "place", "fences"):
        return {}
    kinds: dict[Action, str] = {}
    places: dict[str, set[str]] = {}
    for action in game.legal_actions:
        at = _at(game, action)
        if at:
            verb, *names = d.TEXTS[action].split()
            kind = f"sow_{names[0]}" if verb == "sow" else "swap" if len(names) == 3 else verb
            kinds[action] = kind
            places.setdefault(at[0], set()).add(kind)
    shared = {kind for found in places.values() if len(found) > 1 for kind in found}
    return {action: words(f"verb.{kind}") for action, kind in kinds.items() if kind in shared}


def _harvest(game: Game, seat: int) -> tuple[int, int, int, int] | None:
    """Return in how many rounds the next harvest of a seat comes, the food that it needs and has then, and how much
    more it could get for what it has now; None after the last.
    """
    s = game.states[0]
    turn, phase = int(s["turn"]), int(s["phase"])
    fed = phase > WORK and not (phase == FEEDING and _not_fed(s, seat))
    first = turn + (phase == 0 or fed)
    harvest = next((number for number in range(max(first, 1), p.ROUNDS + 1) if p.HARVESTS[number]), None)
    if game.over or harvest is None:
        return None
    people, own = int(s["people"][seat]), s["goods"][seat]
    need = int(legal.need(s, seat)) if harvest == turn else legal.ADULT[min(game.players, 2) - 1] * people
    have = int(own[p.FOOD]) + min(int(s["well"][seat]), harvest - turn)
    majors = int(s["majors"][seat])
    cooks = p.COOKED[int(majors & p.COOKING & ~p.HEARTHS != 0) + 2 * int(majors & p.HEARTHS != 0)]
    more = sum(int(own[good]) * int(cooks[good]) for good in range(p.GRAIN, len(p.GOODS)))
    more += sum(
        int(food)
        for major, good, food in zip(p.CRAFT_MAJORS, p.CRAFT_GOOD, p.CRAFT_FOOD, strict=True)
        if majors >> int(major) & 1 and own[good] > 0
    )
    return harvest - turn, need, have, more


def _not_fed(s: Any, seat: int) -> bool:
    """Return whether a seat is still to be fed in a harvest that goes round (A64)."""
    players, first = int(s["players"]), int(s["start_player"])
    return (seat - first) % players >= (int(s["to_move"]) - first) % players


def _effect(major: Mapping[str, Any], words: Words) -> str:
    if "cook" in major:
        told = words("about_major.cook", bake=major["bake"], **major["cook"])
        return told + (words("about_major.for_fireplace") if major.get("for_fireplace") else "")
    if "bake" in major:
        many = "many" if major["bake_most"] > 1 else "one"
        return words(f"about_major.oven_{many}", bake=major["bake"], most=major["bake_most"])
    if "craft" in major:
        steps = dict(zip(("first", "second", "third"), major["bonus"], strict=True))
        return words(
            "about_major.craft", good=words(f"good.{major['craft']['good']}"), food=major["craft"]["food"], **steps
        )
    return words("about_major.well", rounds=major["well_rounds"])


ROOM: Final = Agricola("agricola")
