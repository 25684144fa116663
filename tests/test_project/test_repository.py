"""The repository as a whole: one version everywhere, and nothing private in it."""

import re
import tomllib
from pathlib import Path

import bohemian_env
from tests.helpers import ROOT, tracked_files

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_one_version_everywhere() -> None:
    version = PYPROJECT["project"]["version"]
    assert bohemian_env.__version__ == version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {re.escape(version)}$", citation, re.MULTILINE)


def pinned(file: str) -> set[str]:
    """The packages of which a file of constraints names the version."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {line.partition("==")[0] for line in lines if "==" in line}


def test_constraints_cover_what_we_ask_for() -> None:
    """The extra `examples` alone has a file of its own, since its libraries hold others back."""
    project = PYPROJECT["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    wanted = {
        extra: {re.split(r"[\[<>=]", requirement)[0] for requirement in requirements} - {project["name"]}
        for extra, requirements in extras.items()
    }
    ours = set().union(*(names for extra, names in wanted.items() if extra != "examples"))
    assert ours <= pinned("constraints.txt")
    assert wanted[""] | wanted["train"] | wanted["examples"] <= pinned("constraints-examples.txt")


def private_texts() -> re.Pattern[bytes]:
    """Addresses of package registries, and folders of one machine: homes and those around the checkout."""
    # In two pieces, so that this file does not hold them itself.
    registries = ["pypi" + ".org", "python" + "hosted", "registry.npm" + "js", "deb.debian" + ".org"]
    homes = [r"/(home|Users|root)/[\w.-]+", r"[A-Z]:\\Users\\"]
    shared = {"/", "/app", "/builds", "/mnt", "/opt", "/repo", "/srv", "/tmp", "/usr/src", "/var/tmp"}
    here = {path.as_posix() for path in (ROOT, ROOT.parent, Path.home())} - shared
    absolute = "|".join([*homes, *(re.escape(f"{folder}/") for folder in here)])
    return re.compile("|".join([*map(re.escape, registries), rf"(?<![\w.~-])({absolute})"]).encode())


def test_no_tracked_file_holds_a_registry_or_a_path_of_a_machine() -> None:
    private = private_texts()
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in tracked_files()
        if (match := private.search(path.read_bytes()))
    ]
    assert not found
