"""The column beside the villages: whose turn it is, the final scoring, what every seat has, and a key."""

from __future__ import annotations

from typing import Final

from ..game.facts import SHOPS, TOTALS, TURN_DICE
from ..game.record import Outcome
from ..game.words import PAY_WORDS
from .scene import GAP, HEIGHT, SIDE, WIDTH, Scene, cut
from .seats import SEAT_LETTERS, Holding, holdings
from .shapes import coin, die, mini, moved, pawn, symbol, text

__all__ = ["side", "summary"]

_TURN_HEIGHT: Final = 152
_SEAT_HEIGHT: Final = 112
"""At least; more where there is room."""
_KEY_HEIGHTS: Final = (246, 113)
"""Heights of the key with and without what each kind pays."""
_STEP: Final = 46
"""Between the columns of a seat's belongings."""


def summary(scene: Scene) -> str:
    """The state of the game in words."""
    at = scene.position
    if scene.outcome:
        return f"Turn {at['turn']}: game over, {_won(scene, scene.outcome)}"
    dice = f"unused dice {' '.join(map(str, at['dice']))}" if at["dice"] else "dice to be rolled"
    return f"Turn {at['turn']}: {scene.who(at['to_move'])} to move, {dice}"


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
    at = scene.position
    seat = at["to_move"]
    state = "to move, no move made yet"
    if not at["dice"]:
        state = "to roll"
    elif at["moves_made"]:
        state = "to move, first move made"
    if at["spent_special_this_turn"]:
        state += ", special spent"
    told = [
        text(14, 26, f"Turn {at['turn']}", 16, bold=True),
        _bank(at["bank"]),
        moved(pawn(seat), 27, 74),
        text(48, 56, cut(scene.names[seat], SIDE - 62, 17), 17, bold=True),
        text(48, 75, state, 13, "muted"),
    ]
    return moved(_card(_TURN_HEIGHT) + scene.mute("".join(told)) + _dice(scene) + _middle(scene), x, y)


def _bank(coins: int) -> str:
    return text(SIDE - 14, 26, f"bank {_number(coins)}", 15, at="end")


def _dice(scene: Scene) -> str:
    """The unused dice, and empty places for the others."""
    dice = scene.position["dice"]
    places = [
        scene.group("die", die(number), f"die showing {number}", 14 + 50 * k, 95, die=k, number=number)
        for k, number in enumerate(dice)
    ]
    return "".join(places) + "".join(moved(die(0), 14 + 50 * k, 95) for k in range(len(dice), TURN_DICE))


def _middle(scene: Scene) -> str:
    """The special action tiles in the supply, and the bishop while nobody has it."""
    at = scene.position
    supply = at["special_supply"]
    tiles = moved(symbol("special"), 12, 12) + text(28, 17, f"×{supply}", 15, bold=True)
    drawn = scene.group("special", tiles, f"special action tiles in the supply: {supply}", 222, 91, supply=supply)
    if at["bishop"] is None:
        drawn += scene.group("bishop", moved(symbol("bishop"), 12, 13), "bishop, free to take", 222, 117)
    return drawn


# --- the end -----------------------------------------------------------------------------------------------------


def _won(scene: Scene, outcome: Outcome) -> str:
    return " and ".join(map(scene.who, outcome.winners)) + (" wins" if len(outcome.winners) == 1 else " share the win")


def _end(scene: Scene, outcome: Outcome, x: float, y: float) -> str:
    """The final scoring (R25, R26) as a table, the winners marked."""
    at, scoring = scene.position, outcome.scoring
    heads = (coin(radius=8), mini("town_hall"), moved(symbol("bakery"), 0, 0, 0.8), mini("church"))
    columns = [66 + 42 * k for k in range(5)]
    parts = [text(14, 26, f"Turn {at['turn']}: game over", 16, bold=True), _bank(at["bank"])]
    parts += [moved(head, place - 9, 46) for head, place in zip(heads, columns, strict=False)]
    parts.append(moved(symbol("mill"), columns[4] - 17, 46, 0.7) + moved(symbol("glass"), columns[4] - 3, 46, 0.7))
    parts.append(text(SIDE - 12, 51, "total", 13, "muted", at="end"))
    pitch = min(24, 93 // len(scoring))
    for seat, entry in enumerate(scoring):
        foot = 72 + pitch * seat
        if seat in outcome.winners:
            parts.append(f'<rect x="6" y="{foot - 14}" width="{SIDE - 12}" height="18" rx="5" class="f-full"/>')
        *sources, total = entry.values()
        parts.append(text(14, foot, SEAT_LETTERS[seat] + (" ★" if seat in outcome.winners else ""), 14, bold=True))
        parts += [text(place, foot, _number(c), 14, at="end") for place, c in zip(columns, sources, strict=True)]
        parts.append(text(SIDE - 12, foot, _number(total), 15, bold=True, at="end"))
    told = "; ".join(
        f"{scene.who(seat)}: " + ", ".join(f"{name.replace('_', ' ')} {coins}" for name, coins in entry.items())
        for seat, entry in enumerate(scoring)
    )
    label = f"Final scoring: {told}. {_won(scene, outcome)}"
    return scene.group("scoring", _card(_TURN_HEIGHT) + scene.mute("".join(parts)), label, x, y)


def _number(coins: int) -> str:
    """With a true minus sign."""
    return str(coins).replace("-", "−")


# --- the seats ---------------------------------------------------------------------------------------------------


def _seat(scene: Scene, seat: int, has: Holding, x: float, y: float, height: float) -> str:
    """What a seat has."""
    name = scene.names[seat]
    now = scene.position["to_move"] == seat
    coins = _number(has.coins)
    upper = (
        (moved(pawn(seat, letter=False), 0, 9, 0.55), has.figures, "{} figures in hand"),
        *((_ware(kind), number, kind + " {}") for kind, number in zip(SHOPS, has.shops, strict=True)),
        (mini("church"), has.churches, "churches {}"),
    )
    lower = (
        (mini("inn", True), has.active_inns, "active inns {}"),
        (mini("farm"), has.farms, "farms {}"),
        (mini("town_hall"), has.town_halls, "town halls {}"),
        (_ware("mill"), has.flour, "flour {}"),
        (_ware("glass"), has.glass, "glass {}"),
    )
    label = [f"{has.coins} coins", f"income {has.income}", *(said.format(n) for _, n, said in (*upper, *lower))]
    first, second, third = 0.22 * height, 0.56 * height, 0.82 * height
    told = [
        moved(pawn(seat), 27, first + 17),
        text(48, first + 6, cut(name, 122, 15), 15, bold=True),
        moved(coin(), 184, first),
        text(197, first + 6, coins, 18 if len(coins) < 4 else 14, bold=True),
        text(SIDE - 10, first + 6, f"+{has.income}/turn", 11, "muted", at="end"),
        *(_count(shape, number, (26 if k else 21) + _STEP * k, second) for k, (shape, number, _) in enumerate(upper)),
        *(_count(shape, number, 26 + _STEP * k, third) for k, (shape, number, _) in enumerate(lower)),
    ]
    frame = _card(height) + f'<rect x="1" y="9" width="6" height="{height - 18:g}" rx="3" class="f-seat{seat} s-edge"/>'
    if now:
        frame += f'<rect width="{SIDE}" height="{height:g}" rx="10" fill="none" class="s-ink" stroke-width="3"/>'
    tiles = ""
    for tile, held, called, left in (
        ("special", has.special, "special action tile", 255),
        ("bishop", has.bishop, "bishop", 281),
    ):
        if held:
            label.append(called)
            tiles += scene.group(tile, symbol(tile), f"{called} of {SEAT_LETTERS[seat]}", left, third, seat=seat)
    who = scene.who(seat) + (", to move" if now else "")
    drawn = frame + scene.mute("".join(told)) + tiles
    return scene.group("seat", drawn, f"{who}: {', '.join(label)}", x, y, role="group", seat=seat)


def _ware(kind: str) -> str:
    return moved(symbol(kind), 0, 0, 0.9)


def _count(shape: str, number: int, x: float, y: float) -> str:
    """A shape with how many there are; the shape is pale where there are none."""
    drawn = moved(shape, x, y)
    if number == 0:
        return f'<g opacity="0.35">{drawn}</g>' + text(x + 12, y + 5, number, 14, "muted")
    return drawn + text(x + 12, y + 5, number, 14, bold=True)


# --- the key -----------------------------------------------------------------------------------------------------


def _key(scene: Scene, x: float, y: float, height: int) -> str:
    """Which building is which, and what it pays where there is room for that."""
    parts = []
    for k, (kind, pays) in enumerate(PAY_WORDS.items()):
        name = kind.replace("_", " ")
        if height == _KEY_HEIGHTS[0]:
            left, foot = 10, 23 + 21 * k
            parts.append(text(left + 112, foot, pays, 11, "muted"))
        else:
            left, foot = (8, 106, 190)[k // 4], 26 + 24 * (k % 4)
        parts.append(
            moved(mini(kind), left + 10, foot - 5)
            + text(left + 41, foot, TOTALS[kind], 12, bold=True, at="end")
            + text(left + 46, foot, name, 11)
        )
    return moved(_card(height) + scene.mute("".join(parts)), x, y)
