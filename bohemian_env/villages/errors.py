"""The errors that only this game has. All derive from ``engine.errors.BohemianError``."""

from ..engine.errors import BadOutcome, BohemianError, ChanceNeeded, NoChanceNeeded


class BadBoard(BohemianError):
    """A board file is malformed; the message names the village (or the set-up line) and the field."""


class BadNetwork(BohemianError):
    """A file holds no network as ``appraiser`` has them; the message names it."""


class RollNeeded(ChanceNeeded):
    """Only a roll can come next, so there is no position to show and no move to make."""


class NoRollNeeded(NoChanceNeeded):
    """Dice were given where a player decides."""


class BadDice(BadOutcome):
    """The dice given are too few or too many, or do not show 1 to 6."""
