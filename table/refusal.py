"""Why something that was asked for cannot be, told in the language of whoever asked."""

from .words import Words, page_words


class Refusal(Exception):
    """Something cannot be; ``str`` of it is a sentence in English.

    key: of the sentence in the part ``refused`` of the list of words. values: those that it has in braces.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self._key, self._values = key, values

    def told(self, words: Words) -> str:
        """Return the sentence in a language."""
        return words(f"refused.{self._key}", **self._values)

    def __str__(self) -> str:
        return self.told(page_words("en"))
