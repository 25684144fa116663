"""The column beside the villages: whose turn it is, the final scoring, what every seat has, and a key."""

from typing import Final

from ...engine.contract import Outcome
from ...engine.drawing import GAP, HEIGHT, SIDE, WIDTH, card, cut, element, moved, text
from ..facts import KINDS, SHOPS, TOTALS, TURN_DICE
from .scene import LEAST, Scene
from .seats import SEAT_LETTERS, Holding, holdings
from .shapes import coin, die, mini, pawn, symbol

_TURN_HEIGHT: Final = 152
_SEAT_HEIGHT: Final = 104  # at least; more where there is room
_KEY_HEIGHTS: Final = (388, 148)  # heights of the key with and without what each kind pays
_STEP: Final = 46  # between the columns of a seat's belongings
_LEFT: Final = WIDTH - SIDE - GAP  # where the column begins


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
    drawn = _end(scene, scene.outcome) if scene.outcome else _turn(scene)
    seats = holdings(scene.position)
    top = GAP + _TURN_HEIGHT + GAP
    for key in (*_KEY_HEIGHTS, 0):  # the largest key that leaves room for the seats
        pitch = (HEIGHT - top - (key + GAP if key else 0)) / len(seats)
        if pitch - GAP >= _SEAT_HEIGHT:
            break
    for seat, has in enumerate(seats):
        drawn += _seat(scene, seat, has, top + seat * pitch, pitch - GAP)
    return drawn + (_key(scene, key) if key else "")


def _turn(scene: Scene) -> str:
    at, words = scene.position, scene.words
    seat = at["to_move"]
    state = "state_second" if at["moves_made"] else "state_first"
    if at["spent_special_this_turn"] or not at["dice"]:
        state = "state_spent" if at["spent_special_this_turn"] else "state_roll"
    told = scene.mute(
        text(14, 26, words("drawing.turn", turn=at["turn"]), 17, bold=True),
        _bank(scene),
        moved(pawn(seat, LEAST), 27, 74),
        text(48, 56, cut(scene.names[seat], SIDE - 62, 17), 17, bold=True),
        text(48, 76, words(f"drawing.{state}"), LEAST, "muted"),
    )
    return moved(card(SIDE, _TURN_HEIGHT) + told + _dice(scene) + _middle(scene), _LEFT, GAP)


def _bank(scene: Scene) -> str:
    return text(SIDE - 14, 26, scene.words("drawing.bank", coins=_number(scene.position["bank"])), LEAST, at="end")


def _dice(scene: Scene) -> str:
    dice, drawn = scene.position["dice"], ""
    for k, number in enumerate(dice):
        told = scene.words("drawing.die", number=number)
        drawn += scene.group("die", die(number), told, 14 + 50 * k, 95, die=k, number=number)
    return drawn + "".join(moved(die(0), 14 + 50 * k, 95) for k in range(len(dice), TURN_DICE))


def _middle(scene: Scene) -> str:
    """The special action tiles in the supply, and the bishop while nobody has it."""
    supply = scene.position["special_supply"]
    tiles = moved(symbol("special"), 12, 12) + text(28, 18, f"×{supply}", LEAST, bold=True)
    drawn = scene.group("special", tiles, scene.words("drawing.supply", number=supply), 222, 91, supply=supply)
    if scene.position["bishop"] is None:
        drawn += scene.group("bishop", moved(symbol("bishop"), 12, 13), scene.words("drawing.bishop_free"), 222, 117)
    return drawn


def _won(scene: Scene, outcome: Outcome) -> str:
    who = scene.words.listed([*map(scene.who, outcome.winners)])
    return scene.words("drawing.wins" if len(outcome.winners) == 1 else "drawing.share", who=who)


def _end(scene: Scene, outcome: Outcome) -> str:
    """The final scoring (R25, R26) as a table, the winners marked."""
    words, right = scene.words, SIDE - 12
    drawn = text(14, 26, words("drawing.over", turn=scene.position["turn"]), 17, bold=True) + _bank(scene)
    heads = (coin(radius=8), mini("town_hall"), moved(symbol("bakery"), 0, 0, 0.8), mini("church"))
    columns = [66 + 42 * k for k in range(5)]
    drawn += "".join(moved(head, place - 9, 46) for head, place in zip(heads, columns, strict=False))
    drawn += moved(symbol("mill"), columns[4] - 17, 46, 0.7) + moved(symbol("glass"), columns[4] - 3, 46, 0.7)
    drawn += text(right, 51, "Σ", LEAST, "muted", at="end")
    pitch, told = min(24, 93 // len(outcome.scoring)), []
    for seat, entry in enumerate(outcome.scoring):
        foot, won = 72 + pitch * seat, seat in outcome.winners
        if won:
            drawn += element("rect", x=6, y=foot - 14, width=right, height=18, rx=5, class_="f-full")
        *sources, total = map(_number, entry.values())
        drawn += text(14, foot, SEAT_LETTERS[seat] + ("★" if won else ""), LEAST, bold=True)
        drawn += "".join(text(place, foot, c, LEAST, at="end") for place, c in zip(columns, sources, strict=True))
        drawn += text(right, foot, total, LEAST, bold=True, at="end")
        parts = ", ".join(f"{words(f'scoring.{name}')} {coins}" for name, coins in entry.items())
        told.append(f"{scene.who(seat)}: {parts}")
    label = words("drawing.scoring", told="; ".join(told), won=_won(scene, outcome))
    return scene.group("scoring", card(SIDE, _TURN_HEIGHT) + scene.mute(drawn), label, _LEFT, GAP)


def _number(coins: int) -> str:
    """With a true minus sign."""
    return str(coins).replace("-", "−")


def _seat(scene: Scene, seat: int, has: Holding, y: float, height: float) -> str:
    words, kinds, coins = scene.words, has.kinds, _number(has.coins)

    def entry(shape: str, number: int, key: str, kind: str = "inn") -> tuple[str, int, str]:
        """A shape, how many there are, and this in words."""
        return shape, number, words(f"drawing.{key}", number=number, kind=words(f"kind.{kind}"))

    upper = (
        entry(moved(pawn(seat), 0, 9, 0.55), has.figures, "figures"),
        *(entry(_ware(kind), kinds[kind], "shop", kind) for kind in SHOPS),
        entry(mini("church"), kinds["church"], "churches"),
    )
    lower = (
        entry(mini("inn", True), has.active_inns, "inns"),
        entry(mini("farm"), kinds["farm"], "farms"),
        entry(mini("town_hall"), kinds["town_hall"], "town_halls"),
        entry(_ware("mill"), has.flour, "flour"),
        entry(_ware("glass"), has.glass, "glass"),
    )
    label = [words("drawing.coins", number=has.coins), words("drawing.income", number=has.income)]
    label += [said for _, _, said in (*upper, *lower)]
    first, second, third = 0.22 * height, 0.56 * height, 0.82 * height
    told = scene.mute(
        moved(pawn(seat, LEAST), 27, first + 17),
        text(48, first + 6, cut(scene.names[seat], 122, 17), 17, bold=True),
        moved(coin(), 184, first),
        text(197, first + 6, coins, 18 if len(coins) < 4 else LEAST, bold=True),
        text(SIDE - 10, first + 6, f"+{has.income}", LEAST, "muted", at="end"),
        *(_count(shape, number, (26 if k else 21) + _STEP * k, second) for k, (shape, number, _) in enumerate(upper)),
        *(_count(shape, number, 26 + _STEP * k, third) for k, (shape, number, _) in enumerate(lower)),
    )
    who, frame = scene.who(seat), card(SIDE, height)
    frame += element("rect", x=1, y=9, width=6, height=height - 18, rx=3, class_=f"f-seat{seat} s-edge")
    if scene.position["to_move"] == seat:
        who = words("drawing.moves_now", who=who)
        frame += element("rect", width=SIDE, height=height, rx=10, fill="none", class_="s-ink", stroke_width=3)
    tiles = ""
    for tile, held, left in (("special", has.special, 255), ("bishop", has.bishop, 281)):
        if held:
            label.append(words(f"drawing.{tile}"))
            called = words("drawing.of", tile=label[-1], letter=SEAT_LETTERS[seat])
            tiles += scene.group(tile, symbol(tile), called, left, third, seat=seat)
    said = f"{who}: {', '.join(label)}"
    return scene.group("seat", frame + told + tiles, said, _LEFT, y, role="group", seat=seat)


def _ware(kind: str) -> str:
    return moved(symbol(kind), 0, 0, 0.9)


def _count(shape: str, number: int, x: float, y: float) -> str:
    """A shape with how many there are; the shape is pale where there are none."""
    drawn = moved(shape, x, y) if number else element("g", moved(shape, x, y), opacity=0.35)
    return drawn + text(x + 12, y + 6, number, LEAST, "ink" if number else "muted", bold=bool(number))


def _key(scene: Scene, height: int) -> str:
    """Which building is which, and what it pays where there is room for that."""
    drawn, pays = "", height == _KEY_HEIGHTS[0]
    for k, kind in enumerate(KINDS):
        left, foot = (4, 24 + 34 * k) if pays else (4 + 142 * (k // 6), 24 + 23 * (k % 6))
        drawn += moved(mini(kind), left + 10, foot - 5)
        drawn += text(left + 43, foot, TOTALS[kind], LEAST, bold=True, at="end")
        drawn += text(left + 47, foot, scene.words(f"kind_short.{kind}"), LEAST)
        if pays:
            drawn += text(left + 47, foot + 15, scene.words(f"pays_short.{kind}"), LEAST, "muted")
    return moved(card(SIDE, height) + scene.mute(drawn), _LEFT, HEIGHT - GAP - height)
