"""The cache of compiled functions: kept while nothing changes, thrown away when what they are made of does."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import bohemian_env
from bohemian_env.engine import compiled
from bohemian_env.engine.reward import new_scoring
from bohemian_env.games import GAMES, rules_of

PACKAGE = Path(bohemian_env.__file__).parent

# A package whose only compiled function that anybody calls is in a file that is never changed.
TOY = {
    "__init__.py": "",
    "outer.py": """
from .engine.compiled import njit
from .deep.inner import value
@njit
def twice():
    return 2 * value()
""",
    "deep/__init__.py": "",
    "deep/inner.py": """
import tomllib
from pathlib import Path
from ..engine.compiled import njit
NUMBER = tomllib.loads(Path(__file__).with_name("data.toml").read_text())["number"]
@njit
def value():
    return NUMBER + 100
""",
    "deep/data.toml": "number = 1\n",
}
CALL = "from toy.outer import twice; print(twice(), sum(twice.stats.cache_hits.values()))"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The folder of the package ``toy``, which has this package's compiled.py."""
    folder = tmp_path / "toy"
    (folder / "deep").mkdir(parents=True)
    for name, content in TOY.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "engine").mkdir()
    (folder / "engine" / "__init__.py").touch()
    shutil.copy(PACKAGE / "engine" / "compiled.py", folder / "engine")
    return folder


def run(toy: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new interpreter."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    env |= {"PYTHONPATH": str(toy.parent), "PYTHONDONTWRITEBYTECODE": "1"}  # Python has a cache of its own
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, env=env, cwd=toy.parent, text=True, capture_output=True, check=False)


def call(toy: Path, code: str = CALL) -> tuple[int, int]:
    """What ``toy.outer.twice`` gives in a new interpreter, and how often it was found in the cache."""
    done = run(toy, code, "-W", "error")
    assert done.returncode == 0, done.stderr
    result, hits = map(int, done.stdout.split())
    return result, hits


@pytest.mark.slow
def test_a_change_of_a_called_file_or_of_data_is_seen(toy: Path) -> None:
    assert call(toy) == (202, 0)
    assert call(toy) == (202, 1)  # nothing changed: no compiling
    inner, data = toy / "deep" / "inner.py", toy / "deep" / "data.toml"
    inner.write_text(inner.read_text(encoding="utf-8").replace("100", "200"), encoding="utf-8")
    assert call(toy) == (402, 0)
    data.write_text("number = 3\n", encoding="utf-8")
    assert call(toy) == (406, 0)
    assert call(toy) == (406, 1)


def test_a_change_of_what_it_is_not_made_of_compiles_nothing(toy: Path) -> None:
    """Files that no import leads to, and data that no such file names."""
    assert call(toy) == (202, 0)
    (toy / "words.toml").write_text("hello = 'x'\n", encoding="utf-8")
    (toy / "deep" / "weights.npz").write_bytes(b"x")
    (toy / "other.py").write_text("NUMBER = 1\n", encoding="utf-8")
    assert call(toy) == (202, 1)


def test_the_rules_are_made_of_the_rules_and_no_word_list_or_network() -> None:
    for path in (PACKAGE / "villages" / name for name in ("rules.py", "verbs.py", "opponents/appraiser.py")):
        made_of = {one.relative_to(PACKAGE).as_posix() for one in compiled.sources_of(path)}
        assert {f"villages/{name}.py" for name in ("rules", "facts", "state")} <= made_of
        assert {f"engine/{name}.py" for name in ("bits", "chance", "compiled")} <= made_of
        weights = {"villages/opponents/planner.toml"} if path.name == "verbs.py" else set()
        assert weights <= {name for name in made_of if not name.endswith(".py")} <= weights | {"villages/villages.toml"}
        assert not any(name.startswith(("villages/words/", "villages/render/")) for name in made_of)


def test_the_floor_is_made_of_no_game() -> None:
    for path in (PACKAGE / "engine").glob("*.py"):
        assert {one.parent.name for one in compiled.sources_of(path)} == {"engine"}, path


@pytest.mark.slow
def test_outside_the_package_a_change_of_the_file_itself_is_seen_too(toy: Path) -> None:
    outside = toy.parent / "outside.py"
    text = "from toy.engine.compiled import njit\nfrom toy.outer import twice as value\nNUMBER = 1\n{}"
    text = text.format("@njit\ndef twice():\n    return NUMBER + value()\n")
    outside.write_text(text, encoding="utf-8")
    call_outside = CALL.replace("toy.outer", "outside")
    assert call(toy, call_outside) == (203, 0)
    assert call(toy, call_outside) == (203, 1)
    outside.write_text(text.replace("NUMBER = 1", "NUMBER = 10"), encoding="utf-8")
    assert call(toy, call_outside) == (212, 0)
    inner = toy / "deep" / "inner.py"
    inner.write_text(inner.read_text(encoding="utf-8").replace("100", "200"), encoding="utf-8")
    assert call(toy, call_outside) == (412, 0)


@pytest.mark.slow
def test_in_another_package_a_change_of_any_of_its_files_is_seen(toy: Path) -> None:
    for form in ("from .rules import value", "from outside.rules import value"):
        outside = toy.parent / "outside"
        shutil.rmtree(outside, ignore_errors=True)
        outside.mkdir()
        text = "from toy.engine.compiled import njit\n{}\n@njit\ndef {}():\n    return {}\n"
        (outside / "__init__.py").touch()
        (outside / "rules.py").write_text(text.format("", "value", "1"), encoding="utf-8")
        (outside / "verbs.py").write_text(text.format(form, "twice", "2 * value()"), encoding="utf-8")
        call_outside = CALL.replace("toy.outer", "outside.verbs")
        assert call(toy, call_outside) == (2, 0)
        assert call(toy, call_outside) == (2, 1)
        (outside / "rules.py").write_text(text.format("", "value", "10"), encoding="utf-8")
        assert call(toy, call_outside) == (20, 0)


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_what_is_compiled_for_two_games_has_two_names() -> None:
    """Each process numbers what it compiles from 1 on, and of two with one name and number a linker takes the first."""
    names = set()
    for game in GAMES:
        made: Any = rules_of(game).compiled(new_scoring)
        made()
        names |= {re.sub(r"B\d+v\d+", "", one.fndesc.llvm_func_name) for one in made.overloads.values()}
    assert len(names) == len(GAMES), names


def compiled_functions() -> dict[str, Any]:
    """All functions of the package under ``@njit``, by module and name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join([PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "njit" in map(ast.unparse, node.decorator_list):
                found[f"{module}.{node.name}"] = getattr(importlib.import_module(module), node.name)
    return found


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_every_compiled_function_bears_the_stamp() -> None:
    functions = compiled_functions()
    assert {"bohemian_env.villages.rules.push", "bohemian_env.engine.chance.mix"} < set(functions)
    assert all(isinstance(function, Dispatcher) for function in functions.values())
    for name, function in functions.items():
        path = Path(function.py_func.__code__.co_filename)
        assert function._cache._cache_file._source_stamp == (compiled._stamp_of(frozenset({path})), None), name
        called = {value for value in function.py_func.__globals__.values() if isinstance(value, Dispatcher)}
        assert {Path(one.py_func.__code__.co_filename) for one in called} <= compiled.sources_of(path), name
    assert all(function.targetoptions["nogil"] for function in functions.values())


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_numbers_in_calls_and_widths_of_numbers_compile_nothing_anew() -> None:
    def number_of(number: int, more: int) -> int:
        return 10 * number + more

    called: Any = compiled.njit(number_of)

    @compiled.njit
    def caller(small: np.ndarray) -> tuple[int, int, int]:
        return called(1, 2), called(3, more=4), called(small[0], small[1])

    assert caller(np.array([-5, 100], np.int8)) == (12, 34, 50)
    assert len(called.signatures) == 1


def test_nobody_else_compiles() -> None:
    """numba is imported in compiled.py, in bits.py for what is not Python but vector instructions, and nowhere else."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            used = any(name.split(".")[0] == "numba" for name in names)
            assert not used or path.name in ("compiled.py", "bits.py"), f"{path.relative_to(PACKAGE)}: {names}"


@pytest.mark.parametrize(
    "insides",
    [{}, {"_cache": SimpleNamespace()}, {"_cache": SimpleNamespace(_cache_file=SimpleNamespace())}],
    ids=["no cache", "no cache file", "no stamp"],
)
def test_a_cache_that_cannot_be_stamped_is_not_used(monkeypatch: pytest.MonkeyPatch, insides: dict[str, Any]) -> None:
    """Another numba may call its insides otherwise; better to compile every time than to run yesterday's rules."""
    asked: list[bool] = []

    def njit(**options: Any) -> Any:
        asked.append(options.get("cache", False))
        return lambda function: SimpleNamespace(**insides)

    monkeypatch.setattr(compiled, "JIT_DISABLED", False)
    monkeypatch.setattr(numba, "njit", njit)
    compiled.njit(lambda: None)
    assert asked[-1] is False


def test_without_a_folder_to_write_to_it_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only installation, and a user without a home: slower to start, which is said, and no error."""
    real = numba.njit

    def njit(*functions: Any, **options: Any) -> Any:
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*functions, **options)

    monkeypatch.setattr(numba, "njit", njit)
    compiled._warn_of_no_cache.cache_clear()
    with pytest.warns(RuntimeWarning, match="set NUMBA_CACHE_DIR"):
        assert compiled.njit(lambda: 7)() == 7
    assert compiled.njit(lambda: 8)() == 8  # and says it once


@pytest.mark.slow
@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_what_was_compiled_for_a_class_that_is_gone_is_made_anew(toy: Path) -> None:
    pair = "from typing import NamedTuple\nclass {0}(NamedTuple):\n    number: int\nPAIR = {0}(1)\n"
    taker = "from .engine.compiled import njit\n@njit\ndef taken(pair):\n    return pair.number\n"
    (toy / "taker.py").write_text(taker, encoding="utf-8")
    code = "from toy.pair import PAIR; from toy.taker import taken"
    code += "; print(taken(PAIR), sum(taken.stats.cache_hits.values()))"
    for name in ("Pair", "Two"):
        (toy / "pair.py").write_text(pair.format(name), encoding="utf-8")
        assert call(toy, code) == (1, 0)
        assert call(toy, code) == (1, 1)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "flipped late": lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
}


@pytest.mark.slow
@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_cache_is_made_anew(toy: Path, kind: str, damage: Callable[[bytes], bytes]) -> None:
    assert call(toy) == (202, 0)
    files = list(toy.rglob(f"*.{kind}"))
    assert len(files) >= 2
    for path in files:
        path.write_bytes(damage(path.read_bytes()))
    out = run(toy, CALL)
    assert out.stdout == "202 0\n"
    assert "RuntimeWarning: damaged files in the cache of compiled functions are made anew" in out.stderr
    assert call(toy) == (202, 1)  # and warns no more, which would be an error here


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_what_was_compiled_from_other_sources_is_never_run(toy: Path) -> None:
    """A process that dies between writing the new index and the new code leaves the old code under the new index."""
    assert call(toy) == (202, 0)
    (old,) = toy.rglob("outer.twice*.nbc")
    content = old.read_bytes()
    inner = toy / "deep" / "inner.py"
    inner.write_text(inner.read_text(encoding="utf-8").replace("100", "200"), encoding="utf-8")
    assert call(toy) == (402, 0)
    old.write_bytes(content)
    assert call(toy) == (402, 0)
    assert call(toy) == (402, 1)
