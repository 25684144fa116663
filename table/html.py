"""Pages, filled from the templates in ``templates/``; every text that goes into one is escaped there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension

from .language import text_in


class _Joined(Extension):
    """Takes the lines of a template for its reader's: no space stands between elements on different lines."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """See :class:`jinja2.ext.Extension`."""
        return "".join(line.strip() for line in source.splitlines())


TEMPLATES: Final = Environment(
    loader=FileSystemLoader([Path(__file__).with_name("templates"), Path(__file__).parent]),
    extensions=[_Joined],
    autoescape=True,
    undefined=StrictUndefined,
)


def filled(template: str, language: str, say: Callable[..., str], **values: Any) -> str:
    """Return a page, or a part of one. say: returns the text of a key, as ``Words`` does."""
    return TEMPLATES.get_template(template).render(values, language=language, say=say)


def notice_page(language: str, refused: str = "") -> str:
    """Return a page with only the title and a notice, for which nothing of the game is loaded: why somebody is refused
    another page; or that the game is being loaded, on a page that reloads itself.
    """

    def say(key: str) -> str:
        return text_in(language, *key.split("."))

    return filled("notice.html", language, say, refused=refused)
