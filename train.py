"""Train an agent by self-play: a policy by PPO, or what positions are worth by TD.

    python train.py --players 2 --out runs/first
    python train.py --preset hour --players 4 --out runs/four --seed 3
    python train.py --preset strong --from ppo --out runs/second
    python train.py --resume --out runs/first
    python evaluate.py runs/first greedy planner --games 2000 --players 2
    python train.py --game dorfromantik --minutes 5 --out runs/tiles
    python train.py --game agricola --learner ppo --players 3 --out runs/farm
    python train.py --steps 1000000 --seeds 5 --out runs/five

Ctrl-C saves the run; --resume goes on with it. The agent is agent.safetensors in the run's folder, with agent.json:
these two are what to share. Curves: tensorboard --logdir runs
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from agents.training.run import TrainingRun


_MOST_THREADS: Final = 1024
_MOST_SEEDS: Final = 1000
_LEARNERS: Final = {"ppo": "a policy, by PPO", "td": "what positions are worth, by TD(λ) on after-states"}


def command_line() -> argparse.ArgumentParser:
    """Return the parser of the command line of PPO: an option for every setting, and where and on what to run."""
    from agents.common.command import parser
    from agents.training.config import PATIENCE, PRESETS, TrainConfig, add_options
    from bohemian_env.games import GAMES, known_games

    options = parser("train.py", __doc__)
    add = options.add_argument
    presets = ", ".join(f"{name} ({preset.minutes:g} minutes)" for name, preset in PRESETS.items())
    start = "begin with the weights of an agent: ppo for the shipped one, a run's folder, or a .safetensors file; its "
    start += "network is taken, so that other --trunk, --head, --advice and --adviser are refused"
    threads = "torch threads of each process on the CPU (default: its part of the cores, at most 4)"
    patience = "under torchrun: how long processes wait for each other before they give up (default: %(default)g)"
    learners = "; ".join(f"{name}: {told}" for name, told in _LEARNERS.items())
    learners += "; td has options of its own: --learner td --help (default: td for games that write inputs, else ppo)"
    several = "train so many agents one after the other, with seeds from --seed on, in the folders s0, s1, … of --out; "
    several += "the same command goes on with them"
    add("--game", choices=known_games(), default=GAMES[0], help="the game (default: %(default)s)")
    add("--learner", choices=_LEARNERS, help=learners)
    add("--seeds", type=int, metavar="N", help=several)
    add("--out", type=Path, required=True, help="folder of the run")
    add("--resume", action="store_true", help="go on with the run in --out, with the settings it has")
    add("--preset", choices=PRESETS, help=f"settings to start from: {presets} (default: quick); options override them")
    add("--from", dest="start", metavar="PATH", help=start)
    add("--device", default="cpu", help="torch device (default: cpu)")
    add("--threads", type=int, default=0, help=threads)
    add("--patience", type=float, default=PATIENCE, metavar="SECONDS", help=patience)
    add_options(options.add_argument_group("settings"), TrainConfig)
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status: 0 done, 1 failed, 2 refused, 130 interrupted."""
    if threading.current_thread() is threading.main_thread():  # others get no signals, and may set no handlers
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    given = sys.argv[1:] if arguments is None else arguments
    try:
        return _run_all(given)
    except KeyboardInterrupt:
        print("Interrupted before the training began. The same command begins again.", file=sys.stderr)
        return 130


def _read(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return what decides who reads the command line, and the rest, which does not have those options."""
    parse = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--game", "--learner", "--out", "--seeds", "--seed"):
        parse.add_argument(name)
    parse.add_argument("--resume", action="store_true")
    return parse.parse_known_args(arguments)


def _learner_of(read: argparse.Namespace) -> tuple[str, str]:
    """Return the game and the learner that a command line means: of a run that goes on, those that it has.

    Raises ValueError if that one plays another game.
    """
    from bohemian_env.games import GAMES, known_games, rules_of

    kept = {}
    if read.resume and read.out is not None:
        with contextlib.suppress(OSError, ValueError):
            kept = json.loads((Path(read.out) / "settings.json").read_text(encoding="utf-8-sig"))
        kept = kept if isinstance(kept, dict) else {}
    kept_game = str(kept.get("game", GAMES[0]))
    game = read.game or (kept_game if kept else GAMES[0])
    if kept and game != kept_game:
        raise ValueError(f"{read.out} is a run of {kept_game}, not of {game}")
    valued = game in known_games() and hasattr(rules_of(game).verbs, "write_inputs")  # of no game, the parser tells
    found = ("ppo" if "horizon" in kept else "td") if kept else "td" if valued else "ppo"
    return game, read.learner or found


def _run_all(arguments: list[str]) -> int:
    """Run one training, or with ``--seeds`` several, as :func:`main` does."""
    read, rest = _read(arguments)
    if read.seeds is None or read.out is None:
        return _run(read, rest)
    parse, folder = command_line(), Path(read.out)
    count, first = (int(text) if text.isdecimal() else -1 for text in (read.seeds, read.seed or "0"))
    if not 1 <= count <= _MOST_SEEDS or first < 0 or read.resume:
        parse.error(f"--seeds {read.seeds}: 1 to {_MOST_SEEDS:,}, with a --seed of at least 0, and without --resume")
    for number in range(count):
        read.out, read.seed = str(folder / f"s{number}"), str(first + number)
        if status := _run(read, rest, again=True):
            return status
    return 0


def _run(read: argparse.Namespace, rest: list[str], again: bool = False) -> int:
    """Run one training; ``again`` goes on with one that was begun with the same settings. Others: of :func:`_read`."""
    try:
        game, learner = _learner_of(read)
    except ValueError as error:
        print(f"train.py: {error}", file=sys.stderr)
        return 2
    given = {"game": game, "out": read.out, "seed": read.seed}
    words = [*rest, *(f"--{name}={text}" for name, text in given.items() if text is not None)]
    if learner != "td":
        more = [f"--learner={learner}"] * bool(read.learner) + ["--resume"] * read.resume
        return _main([*words, *more], again)
    from agents.training import values

    resume = read.resume or (again and (Path(read.out) / values.CHECKPOINT).exists())
    return values.main([*words, *["--resume"] * resume])


def _main(arguments: list[str], again: bool = False) -> int:
    parse = command_line()
    options = vars(parse.parse_args(arguments))
    game = options.pop("game")
    del options["learner"], options["seeds"]
    out, resume, device, threads = (options.pop(name) for name in ("out", "resume", "device", "threads"))
    preset, start, patience = (options.pop(name) for name in ("preset", "start", "patience"))
    given = {name: value for name, value in options.items() if value is not None}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    local = os.environ.get("LOCAL_WORLD_SIZE", "1")  # how many processes of torchrun share them
    cores = max(cores // max(int(local) if local.isdecimal() else 1, 1), 1)
    if not 0 <= threads <= _MOST_THREADS:
        parse.error(f"--threads {threads}: 1 to {_MOST_THREADS}, or 0 for the default")
    threads = threads or min(cores, 4)
    # Before torch is loaded. Threads that wait must not spin: beside another busy process that costs a lot.
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

    import torch

    from agents.common.files import reason
    from agents.network.net import RunAway
    from agents.training.config import preset as settings_of
    from agents.training.folder import BadRun
    from agents.training.ranks import RankFailed, join
    from agents.training.run import TrainingRun
    from agents.training.show import ProgressBar

    try:
        torch.set_num_threads(threads)
        if resume and (preset is not None or start is not None):
            raise ValueError("--resume goes on with the run as it is; leave out --preset and --from")
        config = _config(settings_of(preset or "quick", game), given, resume)
        _check_device(device)
        ranks = join(patience)
        ranks.restarts = ranks.restarts or again
        with _told_once():
            run = TrainingRun(out, config, device, start, chosen=given, ranks=ranks)
    except (BadRun, ValueError, OSError, RuntimeError, AssertionError, MemoryError) as error:
        print(f"train.py: {reason(error)}", file=sys.stderr)
        return 2
    try:
        if ranks.rank:
            with _told_once():
                run.train()
            return 0
        with ProgressBar() as bar, _told_once():
            run.train(bar.report)
    except KeyboardInterrupt:
        if ranks.rank == 0:
            print(f"Interrupted; {_how_to_go_on(run)}", file=sys.stderr)
        return 130
    except RunAway as error:
        print(f"train.py: {error}, in a new folder", file=sys.stderr)
        return 1
    except (OSError, RankFailed) as error:
        print(f"train.py: {reason(error)}; {_how_to_go_on(run)}", file=sys.stderr)
        return 1
    print(f"Trained: {out / 'agent.safetensors'} after {run.model.num_timesteps:,} decisions in {run.seconds:.0f} s")
    return 0


def _check_device(device: str) -> None:
    """Raise ValueError, in one line, unless torch can compute on a device."""
    import torch

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        why = str(error).partition("\n")[0].partition(". ")[0]
        raise ValueError(f"no device {device!r} here: {why}") from None


@contextlib.contextmanager
def _told_once() -> Iterator[None]:
    """Print no traceback where TensorBoard's thread cannot write: it raises that again for the run, which tells it."""
    usual = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not (isinstance(args.exc_value, OSError) and type(args.thread).__module__.startswith("tensorboard.")):
            usual(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = usual


def _how_to_go_on(run: TrainingRun) -> str:
    """Return what is left of a run that was stopped, and the command that goes on with it."""
    if run.saved is None:
        return "nothing was saved. The same command begins again."
    kept = "saved" if run.saved else "the last checkpoint stays"
    return f"{kept}. Go on with: python train.py --resume --out {shlex.quote(str(run.folder))}"


def _config(defaults: Any, given: dict[str, Any], resume: bool) -> Any:
    """Return the settings of a new run; None for one that goes on, which has its own."""
    from agents.training.config import OF_THE_LEAGUE

    if resume and given:
        others = ", ".join(sorted(given))
        raise ValueError(f"--resume goes on with the settings of the run; leave out {others}, or begin a run --from it")
    if resume:
        return None
    if beside := [name for name in OF_THE_LEAGUE if given.get("against") and name in given]:
        raise ValueError(f"--against has all the games; leave out {', '.join(beside)}")
    if given.get("steps") and "minutes" not in given:
        given["minutes"] = 0.0  # a budget of samples alone: what is made does not depend on the machine's speed
    return replace(defaults, **given)


if __name__ == "__main__":
    sys.exit(main())
