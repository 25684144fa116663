"""The positions that come with the project."""

from agents.positions.book import BOOK, Book
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS


def test_the_positions_of_the_project_are_of_its_rules() -> None:
    """Every position can be played to, and has the moves that the file says; the same number for every table."""
    book = Book.load(BOOK)
    assert book.sizes == [*range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    assert len({len(book.positions(players)) for players in book.sizes}) == 1
    for players in book.sizes:
        assert book.batch(players).n == len(book.positions(players))  # played as far, and the moves compared
        assert len({one.seed for one in book.positions(players)}) == len(book.positions(players)) >= 100
        assert all(min(loss for loss, _ in one.losses.values()) == 0 for one in book.positions(players))
    assert BOOK.stat().st_size / 500 * 5000 < 16 * 2**20  # the largest book that is made can be read
    assert "/" not in book.about["command"]
