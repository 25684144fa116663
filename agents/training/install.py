"""Put the network of a run where an agent reads its own, unless a test says that it plays worse than that one."""

from pathlib import Path
from typing import Final

from agents.common.files import write_atomically
from agents.players.names import APPRAISER, SELF_TAUGHT
from agents.pretrained import SELF_TAUGHT_FOLDER
from agents.tournament import compare, enter
from agents.tournament.report import verdict_text
from agents.tournament.sure import LOOK, Sure
from bohemian_env import Setup
from bohemian_env.villages.opponents import appraiser
from bohemian_env.villages.opponents.appraiser import network_file

from .folder import BadRun

INSTALLED: Final = {APPRAISER: appraiser.FOLDER, SELF_TAUGHT: SELF_TAUGHT_FOLDER}
"""The agents that such a network plays as, and where they read it."""
_SEED: Final = 24_000_000  # the seed of the first game
_GAMES: Final = 200_000  # games at most


def install(folder: Path, agent: str, players: int) -> tuple[Path, str]:
    """Play until it is sure how the network of a run compares with the one of an agent, and unless it is weaker write
    it in the place of that one. Where that one's file is missing, nothing is played.

    folder: the folder of the run, made by ``agents.training.td``. agent: one of :data:`INSTALLED`. players: the number
    of players at the tables that the run learned at.

    Returns the file, and what the test said. Raises BadRun: it is weaker, or 200,000 games did not tell; nothing is
    written. BadTournament: the folder has no such network. OSError: it cannot be written.
    """
    path = network_file(INSTALLED[agent], players)
    if not path.exists():
        write_atomically(path, network_file(folder, players).read_bytes())
        return path, "There was none to compare it with."
    entrants = enter([f"{APPRAISER}:{folder}", agent], _SEED)
    content = network_file(folder, players).read_bytes()
    found = compare(
        entrants, Setup.of(players), games=_GAMES, seed=_SEED, tables="single", games_at_once=LOOK, sure=Sure()
    )
    assert found.verdict is not None
    said = verdict_text(found, found.verdict)
    if found.verdict.sign not in (0, 1):
        raise BadRun(f"nothing is installed. {said}")
    write_atomically(path, content)
    return path, said
