"""Mutants: small mistakes planted in the rules and the observation, one at a time, that the tests must find.

    python -m faults.mutants --count 500 --seed 0 --jobs 2
    python -m faults.mutants --again

cosmic-ray makes them (the extra `test` brings it). Which are drawn follows from the seed; a larger count adds to
those of a smaller one. Each is planted in a copy of the checkout, where the tests run uncompiled; those that survive
meet more tests, compiled. The state is kept after each mutant and the same command goes on with it; what was found
about a file that has changed since is forgotten; the tests may have changed, so the page tells at which commits they
were met. --again gives the survivors to the tests as they are now. Why a mutant may survive is written in
survivors.toml.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

from agents.common.files import write_atomically
from agents.common.markdown import table
from pages import ROOT

from .ledger import commit

__all__ = ["Mutant", "Stage", "drawn", "kept", "mutants_block", "reasons"]

SURVIVORS: Final = Path(__file__).with_name("survivors.toml")
MEMORY: Final = 8 << 30
"""Bytes that the tests of one mutant may take."""


def sources(root: Path = ROOT) -> list[str]:
    """Return the files that mutants are made of."""
    files = [*sorted((root / "bohemian_env" / "game").glob("*.py")), root / "bohemian_env" / "envs" / "observation.py"]
    return [path.relative_to(root).as_posix() for path in files]


@dataclass(frozen=True)
class Stage:
    """Tests that a mutant has to pass."""

    name: str
    tests: tuple[str, ...]
    compiled: bool


_GAME: Final = (
    *("rulings_placing", "worked_cases", "rulings_end", "rulings_turns", "actions", "board", "setup", "notation"),
    *("events", "record", "position"),
)
_GAME_SLOWER: Final = ("golden_games", "behaviour", "check", "pickles", "dice", "counts", "properties", "lockstep")
_QUICK: Final = (
    *(f"tests/test_game/test_{name}.py" for name in _GAME),
    *("tests/test_words/test_words.py", "tests/test_envs/test_observation.py"),
)
_FACES: Final = (
    *(f"tests/test_envs/test_{name}.py" for name in ("observe", "batch", "aec")),
    "tests/test_render/test_svg.py",
)
_SLOWER: Final = tuple(f"tests/test_game/test_{name}.py" for name in _GAME_SLOWER)
STAGES: Final = (
    Stage("uncompiled, quick", _QUICK, compiled=False),
    Stage("uncompiled", _SLOWER, compiled=False),
    Stage("compiled", (*_QUICK, *_SLOWER, *_FACES), compiled=True),
)
"""What the mutants meet, the quickest first: a mutant that a stage kills does not come to the next."""


@dataclass
class Mutant:
    """One planted mistake, and what became of it."""

    file: str
    operator: str
    """What cosmic-ray calls the kind of change."""
    occurrence: int
    """The place, among those in the file where the operator can change something."""
    line: int
    was: str
    now: str
    """The changed lines, without their indentation."""
    passed: int = 0
    """The number of stages that it has survived."""
    killed: str = ""
    """The test that failed, or how it ended otherwise; empty while nothing has killed it."""
    seconds: float = 0.0
    commit: str = ""
    """That of the tests which it met last; empty while it has met none."""

    @property
    def survived(self) -> bool:
        """Whether it has met all tests and lives."""
        return not self.killed and self.passed == len(STAGES)


@dataclass
class State:
    """What is known about the mutants of a seed."""

    seed: int = 0
    commit: str = ""
    """That at which mutants meet tests now."""
    hashes: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each file of which they are made."""
    mutants: list[Mutant] = field(default_factory=list)


class Fails(Exception):
    """The tests fail without a mutant; the message says where."""


# --- drawing ----------------------------------------------------------------------------------------------------


class _Bare(ast.NodeTransformer):
    """Takes the annotations out of a tree: nothing evaluates them."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _meaning(code: str) -> str | None:
    """Return what a program says beside its annotations and layout; None if it is no Python."""
    try:
        return ast.dump(_Bare().visit(ast.parse(code)))
    except SyntaxError:
        return None


def _places(code: str) -> Iterator[tuple[str, int]]:
    """Yield all mutants of a file, by operator and occurrence."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast(code)))
    for name in operator_names():
        operator = get_operator(name)
        if not operator.arguments():  # those replace names by others that one has to choose
            change = operator()
            yield from ((name, k) for k in range(sum(len([*change.mutation_positions(node)]) for node in nodes)))


def mutated(code: str, operator: str, occurrence: int) -> str:
    """Return a program with one mistake."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    changed: str = mutate_code(code, get_operator(operator)(), occurrence)
    return changed


def _mutant(file: str, code: str, operator: str, occurrence: int) -> Mutant | None:
    """Return a mutant; None if it is no Python or differs in annotations alone."""
    changed = mutated(code, operator, occurrence)
    if _meaning(changed) in (None, _meaning(code)):
        return None
    old, new = code.splitlines(), changed.splitlines()
    ((_, i, j, k, m),) = (
        op for op in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if op[0] != "equal"
    )
    was, now = (" ".join(" ".join(lines).split()) for lines in (old[i:j], new[k:m]))
    return Mutant(file, operator, occurrence, i + 1, was, now)


def drawn(count: int, seed: int, root: Path = ROOT) -> list[Mutant]:
    """Return the mutants that a seed draws, in an order of its own: those of a smaller count come first."""
    codes = {file: (root / file).read_text(encoding="utf-8") for file in sources(root)}
    places = [(file, *place) for file, code in codes.items() for place in _places(code)]
    places.sort(key=lambda place: hashlib.sha256(repr((seed, *place)).encode()).digest())
    found: list[Mutant] = []
    for file, operator, occurrence in places:
        if len(found) == count:
            break
        if mutant := _mutant(file, codes[file], operator, occurrence):
            found.append(mutant)
    return found


# --- the state --------------------------------------------------------------------------------------------------


def kept(path: Path) -> State:
    """Return the state in a file, empty if there is none; raises ValueError for another file."""
    if not path.exists():
        return State()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        state = State(**(data | {"mutants": [Mutant(**mutant) for mutant in data["mutants"]]}))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} does not hold mutants: {error!r}") from error
    for mutant in state.mutants:
        if mutant.seconds and not mutant.commit:  # older files tell one commit for all
            mutant.commit = state.commit
    return state


def save(state: State, path: Path) -> None:
    """Write the state, whole or not at all."""
    write_atomically(path, (json.dumps(asdict(state), indent=1) + "\n").encode())


def files_changed(state: State, root: Path = ROOT) -> set[str]:
    """Return the files of mutants that are no more what they were when these were drawn."""
    now = hashes_of(root)
    return {file for file, known in state.hashes.items() if now.get(file) != known}


def hashes_of(root: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of which mutants are made."""
    return {file: hashlib.sha256((root / file).read_bytes()).hexdigest() for file in sources(root)}


def resumed(old: State, count: int, seed: int, commit: str, root: Path = ROOT) -> State:
    """Return the mutants of a seed with what is known of them."""
    hashes = hashes_of(root)
    if (old.seed, old.hashes, len(old.mutants)) == (seed, hashes, count):
        return replace(old, commit=commit)
    known = {
        (mutant.file, mutant.operator, mutant.occurrence): mutant
        for mutant in old.mutants
        if old.hashes[mutant.file] == hashes.get(mutant.file)
    }
    mutants = [known.get((new.file, new.operator, new.occurrence), new) for new in drawn(count, seed, root)]
    return State(seed, commit, hashes, mutants)


# --- testing ----------------------------------------------------------------------------------------------------


def tracked(root: Path) -> list[Path]:
    """Return the files of a checkout that git knows, as paths below it."""
    listed = subprocess.check_output(["git", "-C", str(root), "ls-files", "-z"], text=True)
    return [Path(name) for name in listed.split("\0") if name and (root / name).is_file()]


class Checkout:
    """A copy of the checkout, in which mutants are planted and tested one after another."""

    def __init__(self, root: Path = ROOT) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        for name in tracked(root):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, self.folder / name)
        self.process: subprocess.Popen[str] | None = None
        self.limits: dict[str, float] = {}

    def prepare(self, stage: Stage) -> None:
        """Run the tests without a mutant, which sets their time limit. Raises Fails."""
        if stage.name in self.limits:
            return
        begun = time.perf_counter()
        if failed := self._failed(stage, limit=3600.0, keep=True):
            raise Fails(f"the tests fail without a mutant ({stage.name}): {failed}")
        self.limits[stage.name] = 20.0 + 5.0 * (time.perf_counter() - begun)

    def meet(self, mutant: Mutant, stage: Stage) -> str:
        """Return what killed a mutant; an empty text if it lives."""
        path = self.folder / mutant.file
        code, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(mutated(code, mutant.operator, mutant.occurrence), encoding="utf-8")
        try:
            return self._failed(stage, self.limits[stage.name])
        finally:
            path.write_text(code, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # its bytecode is that of this time

    def _failed(self, stage: Stage, limit: float, keep: bool = False) -> str:
        """Run tests; return the first that failed, or how they ended otherwise, and an empty text if all passed."""
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTEST_"))}
        environ |= {"PYTHONPATH": str(self.folder), "OMP_NUM_THREADS": "1"}
        if not keep:  # bytecode is told apart by its second and size, which mutants share
            environ["PYTHONDONTWRITEBYTECODE"] = "1"
        # most of the time of a compiled stage is spent on compiling
        environ |= {"NUMBA_OPT": "1"} if stage.compiled else {"NUMBA_DISABLE_JIT": "1"}
        options = ["-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow and not browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *stage.tests],
            cwd=self.folder,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )
        try:
            output, _ = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.end()
            self.process.communicate()
            return f"no end within {limit:.0f} s"
        finally:
            self.end()
            status = self.process.returncode
            self.process = None
        if status == 0:
            return ""
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        return found[1] if found else f"exit status {status}"

    def end(self) -> None:
        """End the tests that run, with what they have started."""
        process = self.process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def remove(self) -> None:
        """Delete the copy."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Hunt:
    """Gives mutants to the tests, in several copies of the checkout at a time, and keeps what they say."""

    def __init__(
        self, state: State, path: Path, jobs: int, explained: Mapping[tuple[str, str, str], str], root: Path = ROOT
    ) -> None:
        self.state = state
        self.path = path
        self.copies = [Checkout(root) for _ in range(jobs)]
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.explained = explained
        self.error: Exception | None = None
        self.workers: list[threading.Thread] = []

    def run(self) -> None:
        """Take all mutants through the stages, one stage after another."""
        try:
            for number, stage in enumerate(STAGES):
                left = [m for m in self.state.mutants if not m.killed and m.passed == number]
                left.sort(key=lambda mutant: key_of(mutant) in self.explained)
                queue: SimpleQueue[Mutant] = SimpleQueue()
                for mutant in left:
                    queue.put(mutant)
                self.workers = [threading.Thread(target=self._work, args=(one, stage, queue)) for one in self.copies]
                for worker in self.workers:
                    worker.start()
                for worker in self.workers:
                    worker.join()
                if self.error:
                    raise self.error
        finally:
            self.stopped.set()
            for copy in self.copies:
                copy.end()
            for worker in self.workers:
                worker.join()
            for copy in self.copies:
                copy.remove()

    def _work(self, copy: Checkout, stage: Stage, queue: SimpleQueue[Mutant]) -> None:
        try:
            with contextlib.suppress(Empty):
                mutant = queue.get_nowait()
                copy.prepare(stage)
                while not self.stopped.is_set():
                    begun = time.perf_counter()
                    killed = copy.meet(mutant, stage)
                    if self.stopped.is_set():  # the tests were ended, not failed
                        return
                    with self.lock:
                        mutant.seconds += time.perf_counter() - begun
                        mutant.killed = killed
                        mutant.passed += not killed
                        mutant.commit = self.state.commit
                        save(self.state, self.path)
                        self._tell(mutant, stage)
                    mutant = queue.get_nowait()
        except Exception as error:
            self.error = error
            self.stopped.set()

    def _tell(self, mutant: Mutant, stage: Stage) -> None:
        left = sum(not m.killed and m.passed < len(STAGES) for m in self.state.mutants)
        what = f"killed by {mutant.killed}" if mutant.killed else f"lives ({stage.name}): {mutant.was} → {mutant.now}"
        print(f"{left} left; {mutant.file}:{mutant.line} {mutant.operator} {what}", flush=True)


# --- what is told -----------------------------------------------------------------------------------------------


def key_of(mutant: Mutant) -> tuple[str, str, str]:
    """Return what a mutant is known by in survivors.toml, whatever else changes in its file."""
    return mutant.file, mutant.was, mutant.now


def reasons() -> dict[tuple[str, str, str], str]:
    """Return why mutants may survive, by what they are known by."""
    rows = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])
    return {(row["file"], row["was"], row["now"]): row["why"] for row in rows}


def summary(state: State) -> str:
    """Return a sentence about the mutants."""
    killed = sum(bool(mutant.killed) for mutant in state.mutants)
    survived = sum(mutant.survived for mutant in state.mutants)
    count = len(state.mutants)
    told = f"Of {count} mutants, drawn with seed {state.seed}, the tests kill {killed}"
    if left := count - killed - survived:
        return f"{told} so far; {survived} survive, and {left} have not met all tests yet."
    return f"{told} ({100 * killed / count:.1f} %); {survived} survive."


def mutants_block(folder: Path) -> str | None:
    """Return the part of docs/reliability.md about mutants, from the state in a folder; None where nothing is known."""
    state = kept(folder / "mutants.json")
    if not state.mutants:
        return None
    why = reasons()
    rows: list[Sequence[Any]] = [
        (f"{mutant.file}, line {mutant.line}", f"`{mutant.was}`", f"`{mutant.now}`", why.get(key_of(mutant), "?"))
        for mutant in sorted(state.mutants, key=lambda mutant: (mutant.file, mutant.line))
        if mutant.survived
    ]
    tested = Counter(mutant.commit for mutant in state.mutants if mutant.commit)
    text = f"{summary(state)} Tested at {', '.join(f'{name} ({count})' for name, count in tested.items()) or 'none'}."
    other = files_changed(state)
    if changed := sum(mutant.file in other for mutant in state.mutants):
        text += f" The files of {changed} have changed since."
    return f"{text}\n\n{table(('where', 'was', 'mutant', 'why it may live'), rows)}" if rows else text


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m faults.mutants", description=__doc__, formatter_class=formatter)
    add = parser.add_argument
    add("--count", type=int, default=500, metavar="N", help="mutants to draw (default: 500)")
    add("--seed", type=int, default=0, metavar="N", help="that draws them (default: 0)")
    add("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default: 1)")
    add("--out", type=Path, default=ROOT / "runs" / "faults", metavar="FOLDER", help="of mutants.json (runs/faults)")
    add("--again", action="store_true", help="begin anew with those that live")
    options = parser.parse_args(argv)
    for name in ("count", "jobs"):
        if (number := getattr(options, name)) < 1:
            parser.error(f"--{name} {number}: at least 1")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 where an unexplained mutant lives, 2 for bad input, 130 interrupted."""
    options = arguments(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    path = options.out / "mutants.json"
    try:
        state = resumed(kept(path), options.count, options.seed, commit())
        for mutant in state.mutants:
            if options.again and not mutant.killed:
                mutant.passed = 0
        save(state, path)
        Hunt(state, path, options.jobs, reasons()).run()
    except (Fails, ValueError, OSError, ImportError, subprocess.SubprocessError) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    why = reasons()
    print(summary(state))
    unexplained = [mutant for mutant in state.mutants if mutant.survived and key_of(mutant) not in why]
    for mutant in unexplained:
        print(f"{mutant.file}:{mutant.line} {mutant.operator}: {mutant.was} → {mutant.now}")
    return int(bool(unexplained))


if __name__ == "__main__":
    sys.exit(main())
