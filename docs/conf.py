"""How Sphinx makes the site of the pages that stand in the repository: ``make docs``.

The pages are read where they are, so that nothing is told twice, and links between them lead from page to page as they
do in the repository. The order of the pages stands here, and what the site has besides: a game that the shipped agents
play while it is made, and what the notebooks print and draw. With the tag ``draft`` nothing is run, which is quicker.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

os.environ["NUMBA_DISABLE_JIT"] = "1"  # autodoc reads the functions
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
_SCRATCH = tempfile.TemporaryDirectory()

import bohemian_env  # noqa: E402 - after the lines above
from bohemian_env.villages.render import board_svg  # noqa: E402

del os.environ["NUMBA_DISABLE_JIT"]  # numba has read it here; what is started from here is to be fast

ORDER = {
    "Games": ("docs/villages", "docs/dorfromantik", "docs/agricola"),
    "Begin": ("docs/play", "notebooks/play", "notebooks/train", "notebooks/analyse", "notebooks/benchmark"),
    "Environments": (
        "docs/env",
        "docs/your-game",
        "examples/games/pig/README",
        "examples/games/take_it_easy/README",
        "docs/libraries",
        "docs/protocol",
        "docs/speed",
        "docs/api",
        "docs/api-agents",
    ),
    "Agents": ("docs/training", "docs/machines", "agents/pretrained/README"),
    "Benchmark": ("docs/benchmark", "docs/paper"),
    "Project": ("docs/reliability", "SECURITY", "CONTRIBUTING", "CHANGELOG", "docs/README"),
}  # fmt: skip
"""The pages behind the first one, which is README, as the sidebar lists them."""

ELSEWHERE = {
    "gymnasium.spaces.space.Space": "https://gymnasium.farama.org/api/spaces/#gymnasium.spaces.Space",
    "gymnasium.vector.vector_env.AutoresetMode": "https://gymnasium.farama.org/api/vector/",
    "np.ndarray": "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html#numpy.ndarray",
    "numpy.dtype": "https://numpy.org/doc/stable/reference/generated/numpy.dtype.html#$",
    "numpy.integer": "https://numpy.org/doc/stable/reference/arrays.scalars.html#$",
    "numpy.ndarray": "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html#$",
    "numpy.uint64": "https://numpy.org/doc/stable/reference/arrays.scalars.html#$",
    "numpy.void": "https://numpy.org/doc/stable/reference/arrays.scalars.html#$",
    "pettingzoo.utils.env.AECEnv": "https://pettingzoo.farama.org/api/aec/#$",
    "collections.abc.Callable": "https://docs.python.org/3/library/collections.abc.html#$",
    "collections.abc.Iterable": "https://docs.python.org/3/library/collections.abc.html#$",
    "collections.abc.Iterator": "https://docs.python.org/3/library/collections.abc.html#$",
    "collections.abc.Mapping": "https://docs.python.org/3/library/collections.abc.html#$",
    "collections.abc.Sequence": "https://docs.python.org/3/library/collections.abc.html#$",
    "pathlib.Path": "https://docs.python.org/3/library/pathlib.html#$",
    "types.ModuleType": "https://docs.python.org/3/library/types.html#$",
    "rich.console.Console": "https://rich.readthedocs.io/en/stable/reference/console.html#$",
}
"""Where other projects tell of the classes that our signatures name; ``$`` stands for the name. The inventories that
they publish hold thousands of names, and would come over the network."""

SEATS = ("ppo", "appraiser", "planner")
"""Who plays the game on the first page."""
GAME = """
## Watch a game

The shipped agents {seats} play, move by move, with each seat's chance of winning, what moves cost, and how lucky the
dice were. [docs/play.md](docs/play.md#looking-at-a-game-again) says how to read it.

<style>.game summary {{cursor: pointer; list-style: none}} .game[open] summary img {{display: none !important}}
.game iframe {{width: 100%; height: 90vh; border: 0}}</style>
<details class="game"><summary><b>▶ Replay it here</b>, or <a href="game.html">on a page of its own</a>
<img class="only-light" alt="The end of that game" src="game.svg"><img class="only-dark" alt="The end of that game"
src="game-dark.svg"></summary><iframe loading="lazy" title="The replay of a game" src="game.html"></iframe></details>

"""
"""How the first page shows it."""

project = "bohemian_env"
author = "The bohemian-villages developers"
project_copyright = f"2026 {author}"
release = version = bohemian_env.__version__
root_doc = "README"
include_patterns = ["README.md", *(f"{page}.*" for pages in ORDER.values() for page in pages)]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
nb_execution_mode = "off" if tags.has("draft") else "force"  # type: ignore[name-defined] # noqa: F821 - Sphinx has it
nb_execution_timeout = 600  # seconds of a cell
nb_execution_raise_on_error = nb_merge_streams = True
myst_enable_extensions = ["attrs_inline"]
html_theme = "furo"
html_title = project
html_static_path = html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
html_use_index = html_domain_indices = False  # no page would lead there, and the search finds names
highlight_language = "none"  # commands and output are not Python
smartquotes_action = "qe"  # two hyphens are those of an option; but see _dashes
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
nitpicky = True
suppress_warnings = ["ref.python"]  # two games have things of one name


_PICTURE = re.compile(
    r'<picture>\s*<source media="[^"]*dark[^"]*" srcset="(.*?)">\s*<img alt="(.*?)" src="(.*?)">\s*</picture>'
)


def _first_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Append the order of the pages to the first one, and let its pictures follow the theme that the reader chose."""
    if page == root_doc:
        source[0] = _PICTURE.sub(r"![\2](\3){.only-light} ![\2](\1){.only-dark}", source[0])
        if not app.tags.has("draft"):
            shown = GAME.format(seats=", ".join(f"`{name}`" for name in SEATS))
            source[0] = source[0].replace("\n## Install\n", f"{shown}\n## Install\n", 1)
        for caption, pages in ORDER.items():
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(f"/{one}" for one in pages)
            source[0] += "\n```\n"


def _untyped(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Begin what is told of a value with an empty comment: Napoleon takes what stands before its first colon for a
    type, where that is on the first line."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def _dashes(app: Sphinx, doctree: nodes.document) -> None:
    """Put dashes where Sphinx writes hyphens for them, between a parameter and what is told of it."""
    for text in [*doctree.findall(nodes.Text)]:
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def _resolve(app: Sphinx, env: Any, node: pending_xref, content: nodes.TextElement) -> nodes.reference | None:
    """Return a link to a name of another project, or to one that stands without its module: best of its own room."""
    target, room = node["reftarget"], str(node.get("py:module")).split(".")[:2]
    if target in ELSEWHERE:
        return nodes.reference("", "", content, internal=False, refuri=ELSEWHERE[target].replace("$", target))
    found = env.domains.python_domain.find_obj(env, None, None, target, None, 1)
    if found:
        _, entry = min(found, key=lambda one: (one[0].split(".")[:2] != room, one[0].count("."), one[0]))
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content)
    return None


def _game(out: Path) -> None:
    """Let the agents play a game; write its replay and its picture."""
    records, work = Path(_SCRATCH.name) / "games.jsonl", Path(_SCRATCH.name) / "work"
    table = ("--players", str(len(SEATS)), "--tables", "one", "--games", "1", "--jobs", "1")
    for command in (
        ("evaluate.py", *SEATS, *table, "--work", work, "--records", records),
        ("-m", "table.export", records, out / "game.html"),
    ):
        subprocess.run([sys.executable, *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    game = bohemian_env.Game.from_record(json.loads(records.read_text(encoding="utf-8").partition("\n")[0]))
    for name, dark in (("game.svg", False), ("game-dark.svg", True)):
        (out / name).write_text(board_svg(game.position(), names=SEATS, dark=dark, ids=False), encoding="utf-8")


def _finish(app: Sphinx, error: Exception | None) -> None:
    """Put the first page where browsers look for it as well, and the game beside it."""
    if error is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")
        if not app.tags.has("draft"):
            _game(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Tell Sphinx what is done here."""
    app.connect("source-read", _first_page)
    app.connect("autodoc-process-docstring", _untyped, priority=400)  # Napoleon has 500
    app.connect("doctree-read", _dashes)
    app.connect("missing-reference", _resolve)
    app.connect("build-finished", _finish)
