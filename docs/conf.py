"""How Sphinx makes the site of the pages that stand in the repository: ``make docs``.

The pages are read where they are, so that nothing is told twice, and links between them lead from page to page as they
do in the repository. Only the order of the pages stands here.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

os.environ["NUMBA_DISABLE_JIT"] = "1"  # autodoc reads the functions, and nothing is run fast
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import bohemian_env  # noqa: E402 - after the two lines above

ORDER = {
    "Begin": ("docs/rules", "docs/play", "docs/training"),
    "Environment": ("docs/env", "docs/libraries", "docs/machines", "docs/api", "docs/api-agents"),
    "Benchmark": ("docs/benchmark", "docs/submissions", "docs/protocol"),
    "Strength": ("agents/pretrained/README", "docs/ladder", "docs/skill", "docs/analysis", "docs/ablations",
                 "docs/generalisation"),
    "Speed": ("docs/speed", "docs/speed-training", "docs/speed-ranks", "docs/performance"),
    "Project": ("docs/board", "docs/reliability", "SECURITY", "CONTRIBUTING", "docs/releasing", "CHANGELOG",
                "docs/README"),
}  # fmt: skip
"""The pages behind the first one, which is README, as the sidebar lists them."""

ELSEWHERE = {
    "numpy.": "https://numpy.org/doc/stable/reference/generated/{target}.html",
    "collections.abc.": "https://docs.python.org/3/library/{module}.html#{target}",
    "collections.Counter": "https://docs.python.org/3/library/collections.html#{target}",
    "gymnasium.spaces.space.Space": "https://gymnasium.farama.org/api/spaces/#gymnasium.spaces.Space",
    "gymnasium.vector.vector_env.AutoresetMode": "https://gymnasium.farama.org/api/vector/#gymnasium.vector.AutoresetMode",
    "np.": "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html",
    "pettingzoo.utils.env.AECEnv": "https://pettingzoo.farama.org/api/aec/#{target}",
    "rich.console.Console": "https://rich.readthedocs.io/en/stable/reference/console.html#{target}",
    "pathlib.": "https://docs.python.org/3/library/{module}.html#{target}",
}
"""Where other projects tell of the names that begin so."""

project = "Bohemian Villages"
author = "The bohemian-villages developers"
release = version = bohemian_env.__version__
root_doc = "README"
include_patterns = ["README.md", *(f"{page}.md" for pages in ORDER.values() for page in pages)]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
html_theme = "furo"
html_title = project
html_static_path: list[str] = []
html_copy_source = html_show_sourcelink = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
nitpicky = True
suppress_warnings: list[str] = []


_PICTURE = re.compile(
    r'<picture>\s*<source media="[^"]*dark[^"]*" srcset="(.*?)">\s*<img alt="(.*?)" src="(.*?)">\s*</picture>'
)


def _first_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Append the order of the pages to the first one, and let its pictures follow the theme that the reader chose."""
    if page == root_doc:
        source[0] = _PICTURE.sub(r"![\2](\3){.only-light}\n![\2](\1){.only-dark}", source[0])
        for caption, pages in ORDER.items():
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(f"/{one}" for one in pages)
            source[0] += "\n```\n"


_VALUES = ("attribute", "data", "property")
_told: dict[str, list[str]] = {}


def _keep(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Keep what is told of a value: Napoleon takes what stands before its first colon for a type."""
    if what in _VALUES:
        _told[name] = list(lines)


def _put_back(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Undo what Napoleon made of that."""
    if what in _VALUES:
        lines[:] = _told.pop(name)


def _resolve(app: Sphinx, env: Any, node: pending_xref, content: nodes.TextElement) -> nodes.reference | None:
    """Return a link to a name that stands without its module, if there is one such name, or to another project."""
    target = node["reftarget"]
    found = {entry[1].node_id: entry for entry in env.domains.python_domain.find_obj(env, None, None, target, None, 1)}
    if len(found) == 1:
        ((_, entry),) = found.values()
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content)
    for beginning, address in ELSEWHERE.items():
        if target.startswith(beginning):
            module = target.rpartition(".")[0]
            return nodes.reference("", "", content, internal=False, refuri=address.format(target=target, module=module))
    return None


def _index(app: Sphinx, error: Exception | None) -> None:
    """Put the first page where browsers look for it as well."""
    if error is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    """Tell Sphinx what is done here."""
    app.connect("source-read", _first_page)
    app.connect("autodoc-process-docstring", _keep, priority=400)  # Napoleon has 500
    app.connect("autodoc-process-docstring", _put_back, priority=600)
    app.connect("missing-reference", _resolve)
    app.connect("build-finished", _index)
