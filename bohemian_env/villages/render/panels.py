"""The column beside the villages: whose turn it is, the final scoring, what every seat has, and a key."""

from __future__ import annotations

from typing import Final

from ...engine.contract import Outcome
from ..facts import KINDS, SHOPS, TOTALS, TURN_DICE
from .scene import GAP, HEIGHT, LEAST, SIDE, WIDTH, Scene, cut
from .seats import SEAT_LETTERS, Holding, holdings
from .shapes import coin, die, mini, moved, pawn, symbol, text

__all__ = ["side", "summary"]

_TURN_HEIGHT: Final = 152
_SEAT_HEIGHT: Final = 104
"""At least; more where there is room."""
_KEY_HEIGHTS: Final = (388, 148)
"""Heights of the key with and without what each kind pays."""
_STEP: Final = 46
"""Between the columns of a seat's belongings."""


def summary(scene: Scene) -> str:
    """The state of the game in words."""
    at, words = scene.position, scene.words
    if scene.outcome:
        return words("drawing.over_won", turn=at["turn"], won=_won(scene, scene.outcome))
    dice = " ".join(map(str, at["dice"]))
    told = words("drawing.unused", dice=dice) if dice else words("drawing.to_be_rolled")
    return words("drawing.to_move", turn=at["turn"], who=scene.who(at["to_move"]), dice=told)


def side(scene: Scene) -> str:
    """The whole column."""
    x = WIDTH - SIDE - GAP
    parts = [_end(scene, scene.outcome, x, GAP) if scene.outcome else _turn(scene, x, GAP)]
    seats = holdings(scene.position)
    top = GAP + _TURN_HEIGHT + GAP
    for key in (*_KEY_HEIGHTS, 0):  # the largest key that leaves room for the seats
        pitch = (HEIGHT - top - (key + GAP if key else 0)) / len(seats)
        if pitch - GAP >= _SEAT_HEIGHT:
            break
    for seat, has in enumerate(seats):
        parts.append(_seat(scene, seat, has, x, top + seat * pitch, pitch - GAP))
    if key:
        parts.append(_key(scene, x, HEIGHT - GAP - key, key))
    return "".join(parts)


def _card(height: float) -> str:
    return f'<rect width="{SIDE}" height="{height:g}" rx="10" class="f-card s-edge"/>'


# --- the turn ----------------------------------------------------------------------------------------------------


def _turn(scene: Scene, x: float, y: float) -> str:
    """Whose turn it is, the dice, and what lies in the middle of the table."""
    at, words = scene.position, scene.words
    seat = at["to_move"]
    state = words("drawing.state_first")
    if not at["dice"]:
        state = words("drawing.state_roll")
    elif at["moves_made"]:
        state = words("drawing.state_second")
    if at["spent_special_this_turn"]:
        state = words("drawing.state_spent")
    told = [
        text(14, 26, words("drawing.turn", turn=at["turn"]), 17, bold=True),
        _bank(scene),
        moved(pawn(seat, LEAST), 27, 74),
        text(48, 56, cut(scene.names[seat], SIDE - 62, 17), 17, bold=True),
        text(48, 76, state, LEAST, "muted"),
    ]
    return moved(_card(_TURN_HEIGHT) + scene.mute("".join(told)) + _dice(scene) + _middle(scene), x, y)


def _bank(scene: Scene) -> str:
    told = scene.words("drawing.bank", coins=_number(scene.position["bank"]))
    return text(SIDE - 14, 26, told, LEAST, at="end")


def _dice(scene: Scene) -> str:
    """The unused dice, and empty places for the others."""
    dice = scene.position["dice"]
    places = []
    for k, number in enumerate(dice):
        told = scene.words("drawing.die", number=number)
        places.append(scene.group("die", die(number), told, 14 + 50 * k, 95, die=k, number=number))
    return "".join(places) + "".join(moved(die(0), 14 + 50 * k, 95) for k in range(len(dice), TURN_DICE))


def _middle(scene: Scene) -> str:
    """The special action tiles in the supply, and the bishop while nobody has it."""
    at = scene.position
    supply = at["special_supply"]
    tiles = moved(symbol("special"), 12, 12) + text(28, 18, f"×{supply}", LEAST, bold=True)
    drawn = scene.group("special", tiles, scene.words("drawing.supply", number=supply), 222, 91, supply=supply)
    if at["bishop"] is None:
        drawn += scene.group("bishop", moved(symbol("bishop"), 12, 13), scene.words("drawing.bishop_free"), 222, 117)
    return drawn


# --- the end -----------------------------------------------------------------------------------------------------


def _won(scene: Scene, outcome: Outcome) -> str:
    who = scene.words.listed([*map(scene.who, outcome.winners)])
    return scene.words("drawing.wins" if len(outcome.winners) == 1 else "drawing.share", who=who)


def _end(scene: Scene, outcome: Outcome, x: float, y: float) -> str:
    """The final scoring (R25, R26) as a table, the winners marked."""
    words, scoring = scene.words, outcome.scoring
    heads = (coin(radius=8), mini("town_hall"), moved(symbol("bakery"), 0, 0, 0.8), mini("church"))
    columns = [66 + 42 * k for k in range(5)]
    parts = [text(14, 26, words("drawing.over", turn=scene.position["turn"]), 17, bold=True), _bank(scene)]
    parts += [moved(head, place - 9, 46) for head, place in zip(heads, columns, strict=False)]
    parts.append(moved(symbol("mill"), columns[4] - 17, 46, 0.7) + moved(symbol("glass"), columns[4] - 3, 46, 0.7))
    parts.append(text(SIDE - 12, 51, "Σ", LEAST, "muted", at="end"))
    pitch = min(24, 93 // len(scoring))
    for seat, entry in enumerate(scoring):
        foot = 72 + pitch * seat
        if seat in outcome.winners:
            parts.append(f'<rect x="6" y="{foot - 14}" width="{SIDE - 12}" height="18" rx="5" class="f-full"/>')
        *sources, total = entry.values()
        parts.append(text(14, foot, SEAT_LETTERS[seat] + ("★" if seat in outcome.winners else ""), LEAST, bold=True))
        parts += [text(place, foot, _number(c), LEAST, at="end") for place, c in zip(columns, sources, strict=True)]
        parts.append(text(SIDE - 12, foot, _number(total), LEAST, bold=True, at="end"))
    told = "; ".join(
        f"{scene.who(seat)}: " + ", ".join(f"{words(f'scoring.{name}')} {coins}" for name, coins in entry.items())
        for seat, entry in enumerate(scoring)
    )
    label = words("drawing.scoring", told=told, won=_won(scene, outcome))
    return scene.group("scoring", _card(_TURN_HEIGHT) + scene.mute("".join(parts)), label, x, y)


def _number(coins: int) -> str:
    """With a true minus sign."""
    return str(coins).replace("-", "−")


# --- the seats ---------------------------------------------------------------------------------------------------


def _seat(scene: Scene, seat: int, has: Holding, x: float, y: float, height: float) -> str:
    """What a seat has."""
    name, words = scene.names[seat], scene.words
    now = scene.position["to_move"] == seat
    coins = _number(has.coins)
    upper = (
        (moved(pawn(seat), 0, 9, 0.55), has.figures, words("drawing.figures", number=has.figures)),
        *(
            (_ware(kind), number, words("drawing.shop", kind=words(f"kind.{kind}"), number=number))
            for kind, number in zip(SHOPS, has.shops, strict=True)
        ),
        (mini("church"), has.churches, words("drawing.churches", number=has.churches)),
    )
    lower = (
        (mini("inn", True), has.active_inns, words("drawing.inns", number=has.active_inns)),
        (mini("farm"), has.farms, words("drawing.farms", number=has.farms)),
        (mini("town_hall"), has.town_halls, words("drawing.town_halls", number=has.town_halls)),
        (_ware("mill"), has.flour, words("drawing.flour", number=has.flour)),
        (_ware("glass"), has.glass, words("drawing.glass", number=has.glass)),
    )
    label = [words("drawing.coins", number=has.coins), words("drawing.income", number=has.income)]
    label += [said for _, _, said in (*upper, *lower)]
    first, second, third = 0.22 * height, 0.56 * height, 0.82 * height
    told = [
        moved(pawn(seat, LEAST), 27, first + 17),
        text(48, first + 6, cut(name, 122, 17), 17, bold=True),
        moved(coin(), 184, first),
        text(197, first + 6, coins, 18 if len(coins) < 4 else LEAST, bold=True),
        text(SIDE - 10, first + 6, f"+{has.income}", LEAST, "muted", at="end"),
        *(_count(shape, number, (26 if k else 21) + _STEP * k, second) for k, (shape, number, _) in enumerate(upper)),
        *(_count(shape, number, 26 + _STEP * k, third) for k, (shape, number, _) in enumerate(lower)),
    ]
    frame = _card(height) + f'<rect x="1" y="9" width="6" height="{height - 18:g}" rx="3" class="f-seat{seat} s-edge"/>'
    if now:
        frame += f'<rect width="{SIDE}" height="{height:g}" rx="10" fill="none" class="s-ink" stroke-width="3"/>'
    tiles = ""
    for tile, held, left in (("special", has.special, 255), ("bishop", has.bishop, 281)):
        if held:
            label.append(words(f"drawing.{tile}"))
            called = words("drawing.of", tile=label[-1], letter=SEAT_LETTERS[seat])
            tiles += scene.group(tile, symbol(tile), called, left, third, seat=seat)
    who = words("drawing.moves_now", who=scene.who(seat)) if now else scene.who(seat)
    drawn = frame + scene.mute("".join(told)) + tiles
    return scene.group("seat", drawn, f"{who}: {', '.join(label)}", x, y, role="group", seat=seat)


def _ware(kind: str) -> str:
    return moved(symbol(kind), 0, 0, 0.9)


def _count(shape: str, number: int, x: float, y: float) -> str:
    """A shape with how many there are; the shape is pale where there are none."""
    drawn = moved(shape, x, y)
    if number == 0:
        return f'<g opacity="0.35">{drawn}</g>' + text(x + 12, y + 6, number, LEAST, "muted")
    return drawn + text(x + 12, y + 6, number, LEAST, bold=True)


# --- the key -----------------------------------------------------------------------------------------------------


def _key(scene: Scene, x: float, y: float, height: int) -> str:
    """Which building is which, and what it pays where there is room for that."""
    parts, pays = [], height == _KEY_HEIGHTS[0]
    for k, kind in enumerate(KINDS):
        left, foot = (4, 24 + 34 * k) if pays else (4 + 142 * (k // 6), 24 + 23 * (k % 6))
        parts.append(
            moved(mini(kind), left + 10, foot - 5)
            + text(left + 43, foot, TOTALS[kind], LEAST, bold=True, at="end")
            + text(left + 47, foot, scene.words(f"kind_short.{kind}"), LEAST)
        )
        if pays:
            parts.append(text(left + 47, foot + 15, scene.words(f"pays_short.{kind}"), LEAST, "muted"))
    return moved(_card(height) + scene.mute("".join(parts)), x, y)
