"""Pieces of HTML; every text that goes into a page is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, Final

from .language import text_in

__all__ = ["Markup", "document", "refusal_page", "tag", "waiting_page"]

_VOID: Final = frozenset({"input", "link", "meta"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(element: str, /, *inside: str | Iterable[str], **attributes: Any) -> Markup:
    """Return an element.

    Attributes are written with ``_`` for ``-``, and as ``class_`` and ``for_``; None and False leave one out.

    >>> tag("p", "2 < 3", class_="note")
    '<p class="note">2 &lt; 3</p>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if element in _VOID:
        return Markup(f"<{element}{written}>")
    parts: list[str] = []
    for part in inside:
        for text in [part] if isinstance(part, str) else part:
            parts.append(text if isinstance(text, Markup) else escape(text, quote=False))
    return Markup(f"<{element}{written}>{''.join(parts)}</{element}>")


def document(
    title: str,
    body: Iterable[str],
    *,
    scripts: Iterable[str] = (),
    sheets: Iterable[str] = (),
    language: str,
    token: str = "",
    **more: Any,
) -> str:
    """Return a page. The token is for the requests of its scripts; ``more`` are attributes of the body."""
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("link", rel="icon", type="image/svg+xml", href="/static/icon.svg"),
        *(tag("link", rel="stylesheet", href=f"/static/{sheet}") for sheet in ("page.css", *sheets)),
    ]
    if token:
        more["class_"] = "bv-auto"  # so that the colours of the drawing can be used
        head.append(tag("meta", name="table-token", content=token))
        head.append(tag("link", rel="stylesheet", href="/board.css"))
    head += [tag("script", src=f"/static/{script}", type="module") for script in scripts]
    return "<!doctype html>\n" + tag("html", tag("head", head), tag("body", body, **more), lang=language) + "\n"


def _notice(language: str, *inside: Markup) -> str:
    """Return a page with only the title and a notice."""
    title = text_in(language, "front", "title")
    return document(title, [tag("main", tag("h1", title), *inside, class_="front")], language=language)


def waiting_page(language: str) -> str:
    """Return the page that is shown until the game is loaded; it reloads itself."""
    ready = tag("p", text_in(language, "front", "waiting"), role="status", class_="note")
    return _notice(language, ready, tag("meta", http_equiv="refresh", content="1"))


def refusal_page(reason: str, language: str) -> str:
    """Return the page for somebody who asks for one that does not exist, or not now."""
    home = tag("a", text_in(language, "front", "to_games"), href="/")
    return _notice(language, tag("p", f"{reason[:1].upper()}{reason[1:]}."), tag("p", home))
