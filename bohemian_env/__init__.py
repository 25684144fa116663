"""Bohemian Villages (Reiner Stockhausen, dlp games, 2016) as a reinforcement-learning environment."""

from .errors import (
    BadBoard,
    BadDice,
    BadNotation,
    BadPosition,
    BadRecord,
    BadSetup,
    BohemianError,
    GameOver,
    IllegalMove,
    NoRecord,
    NoRollNeeded,
    RollNeeded,
)
from .game.board import Board
from .game.game import Game, Outcome

__version__ = "0.1.0"
