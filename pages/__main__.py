"""List the programs that write pages, what each makes, and how long it takes."""

import ast
import re
from pathlib import Path


def programs() -> dict[str, str]:
    """Return what each program makes and how long it takes, by name: the docstrings say so."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        text = path.read_text(encoding="utf-8")
        if "__main__" in text:
            doc = ast.get_docstring(ast.parse(text)) or ""
            takes = re.search(r"Takes? (.*?)[.,]", doc.partition("\n\n")[2], re.DOTALL)
            assert takes, f"{path.name} does not say how long it takes"
            found[path.stem] = f"{doc.splitlines()[0].rstrip('.')}: {' '.join(takes[1].split())}"
    return found


if __name__ == "__main__":
    print("\n".join(f"python -m pages.{name:<15} {text}" for name, text in programs().items()))
