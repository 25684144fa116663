"""What a release is: a wheel and a source archive, the same from every build, that play where nothing else is."""

import email.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import ROOT, tracked_files

EPOCH = "1790000000"
"""The time of the builds."""
ENVIRONMENT = {"gymnasium", "numba", "numpy", "pettingzoo"}
"""All that playing needs."""

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """The output of a command that must succeed; the environment holds nothing of this process's Python."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    result = subprocess.run(command, cwd=cwd, env=clean | variables, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, f"{command} failed\n{result.stdout}\n{result.stderr}"
    return result.stdout


def build(folder: Path, mode: int) -> dict[str, Path]:
    """Wheel and source archive of a copy of the repository's files, which have these rights and the time of now."""
    for path in tracked_files():
        copy = folder / "checkout" / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(mode)
    command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", folder / "checkout")
    run(*command, cwd=folder, SOURCE_DATE_EPOCH=EPOCH)
    return {path.suffix.removeprefix("."): path for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return build(tmp_path_factory.mktemp("release"), 0o644)


def test_two_builds_are_alike_bit_for_bit(built: dict[str, Path], tmp_path: Path) -> None:
    again = build(tmp_path, 0o600)
    assert {*built} == {"gz", "whl"}
    for kind, path in built.items():
        assert (again[kind].name, again[kind].read_bytes()) == (path.name, path.read_bytes())


def test_the_source_archive_holds_what_git_holds(built: dict[str, Path]) -> None:
    with tarfile.open(built["gz"]) as archive:
        files = {member.name.partition("/")[2]: member.mtime for member in archive if member.isfile()}
    assert {*files} == {path.relative_to(ROOT).as_posix() for path in tracked_files()} | {"PKG-INFO"}
    assert {*files.values()} == {int(EPOCH)}


def test_the_wheel_holds_the_package_and_nothing_else(built: dict[str, Path]) -> None:
    """Code, villages, weights, and the mark of types."""
    with zipfile.ZipFile(built["whl"]) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
    there = (path.relative_to(ROOT) for path in tracked_files() if path.is_relative_to(ROOT / "bohemian_env"))
    assert names == {path.as_posix() for path in there}
    assert {"bohemian_env/villages/villages.toml", "bohemian_env/py.typed"} <= names
    assert {name for name in names if name.endswith(".npz")} == {
        f"bohemian_env/villages/opponents/appraiser/{players}-players.npz" for players in (2, 3, 4, 5)
    }


def needs(headers: Any) -> set[str]:
    """The packages that one asks for, without its extras."""
    asked = (line for line in headers.get_all("Requires-Dist") or () if "extra ==" not in line)
    return {re.split(r"[\s<>=!~;\[(]", line)[0].lower() for line in asked}


def test_the_wheel_needs_no_torch(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["whl"]) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        assert needs(email.parser.Parser().parsestr(archive.read(metadata).decode())) == ENVIRONMENT


def link_with_all_it_needs(name: str, folder: Path) -> None:
    """Link a package that is installed here, and all that it asks for, into a folder."""
    installed = distribution(name)
    for top in {path.parts[0] for path in installed.files or () if path.parts[0] not in ("..", "__pycache__")}:
        if not (folder / top).exists():
            (folder / top).symlink_to(Path(str(installed.locate_file(top))))
    for other in needs(installed.metadata):
        link_with_all_it_needs(other, folder)


PLAYED = """
import sys
from pathlib import Path
import bohemian_env
print(Path(bohemian_env.__file__).parents[1], bohemian_env.__version__, *sys.modules, sep="\\n")
"""


@pytest.mark.parametrize(
    ("kind", "variables"), [("whl", {}), ("gz", {"NUMBA_DISABLE_JIT": "1"})], ids=["wheel", "source"]
)
def test_what_is_installed_plays_the_examples_of_the_readme(
    built: dict[str, Path], tmp_path: Path, kind: str, variables: dict[str, str]
) -> None:
    """In an environment that has what the package asks for, and nothing else; nothing comes from a network."""
    venv, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", "--symlinks", venv, cwd=tmp_path)
    python = venv / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=elsewhere).strip())
    for name in ENVIRONMENT:
        link_with_all_it_needs(name, site)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    run(*pip, "install", *offline, "--target", site, built[kind], cwd=elsewhere)
    run(*pip, "--python", python, "check", cwd=elsewhere)

    where, version, *modules = run(python, "-W", "error", "-c", PLAYED, cwd=elsewhere).splitlines()
    assert Path(where).samefile(site)
    assert version in built[kind].name
    assert not {"torch", "matplotlib", "agents"} & {*modules}

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert len(examples) == 2
    for code in examples if kind == "whl" else examples[:1]:  # the other one takes long uncompiled
        assert run(python, "-W", "error", "-c", code, cwd=elsewhere, **variables).strip()  # how the game ended
