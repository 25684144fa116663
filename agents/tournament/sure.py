"""Playing until it is sure who is stronger: a sequential test of the win share of one agent among copies of another.

It is made of two tests of Wald's (1945) in the form that chess programs are tested with: the likelihood ratio of normal
means, with the variance that was found (GSPRT). One asks whether the agent wins more than its fair share or by
``margin`` more, the other the same of less; after Sobel and Wald (1949) the game ends with one of three verdicts. What
is observed is a block: the games of one seed, from every seat.

docs/training.md says how often it errs.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from bohemian_env.engine.checks import is_truth
from bohemian_env.engine.errors import brief

from .schedule import BadTournament

MARGIN: Final = 0.02
"""The difference of a win share that is looked for, unless another one is asked for."""
TEAM_MARGIN: Final = 1.0
"""The same of a total, where seats play for one result."""
FALSE: Final = 0.05  # the chance at most to call equal agents different
MISSED: Final = 0.05  # the chance at most to miss a difference of the margin
LOOK: Final = 512
"""Games between two looks, where agents do not ask for fewer at once."""
FEWEST: Final = 60  # blocks before the first look: fewer say too little of how much they vary
_PRIOR: Final = 1.0
"""What is added to the squares by which blocks differ from their mean, as by four more of them, two won and two lost as
a whole: agents that differ in few blocks would seem to differ in none. Half of it lets 6 % of such leads be missed."""
_YES: Final = math.log((1 - MISSED) / (FALSE / 2))
_NO: Final = math.log(MISSED / (1 - FALSE / 2))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says."""

    sign: int | None
    """1: the first agent is stronger. -1: it is weaker. 0: neither by the margin. None: it is not sure yet."""
    margin: float
    """The difference of a win share, or of a total, that was looked for."""
    ratios: tuple[float, float]
    """The logarithms of the likelihood ratios for stronger and for weaker, each when the test of it was decided."""


class Sure:
    """The test of one pair of agents, which looks again as more blocks are played.

    Args:
        margin: the difference of a win share that matters, above 0 and at most 0.5; where seats play for one result,
            that of the total, above 0.
        team: whether they do.

    Raises:
        BadTournament: another margin, or ``team`` is neither True nor False.
    """

    def __init__(self, margin: float = MARGIN, team: bool = False) -> None:
        if not is_truth(team):
            raise BadTournament(f"team {brief(team)} is neither True nor False")
        most, what = (math.inf, "totals above 0") if team else (0.5, "win shares above 0, at most 0.5")
        if not isinstance(margin, float | np.floating) or not 0 < margin <= most or math.isinf(margin):
            raise BadTournament(f"margin {brief(margin)}: a difference of {what}")
        self.margin = float(margin)
        self.team = team
        self._said: list[bool | None] = [None, None]
        self._ratios = [0.0, 0.0]

    def look(self, lead: np.ndarray, unit: float = 1.0) -> bool:
        """Return whether it is sure now.

        lead: how much more than its fair share the first agent won in each block so far, or by how much its total was
        higher, float64 (blocks,). unit: how far blocks can be apart that have nothing to do with each other: 1 of win
        shares, of totals twice their standard deviation.
        """
        if len(lead) < FEWEST:
            return False
        mean = float(lead.mean())
        spread = (float(((lead - mean) ** 2).sum()) + _PRIOR * unit * unit) / (len(lead) - 1)
        for side, sign in enumerate((1, -1)):
            if self._said[side] is None:
                ratio = len(lead) * self.margin * (sign * mean - self.margin / 2) / spread
                self._ratios[side] = ratio
                self._said[side] = True if ratio >= _YES else False if ratio <= _NO else None
        return self.verdict.sign is not None

    @property
    def verdict(self) -> Verdict:
        """What it says so far."""
        stronger, weaker = self._said
        sign = 1 if stronger else -1 if weaker else 0 if (stronger, weaker) == (False, False) else None
        return Verdict(sign, self.margin, (self._ratios[0], self._ratios[1]))
