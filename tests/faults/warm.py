"""Importing this loads the programs and compiles what they run, so that processes forked from here start at once."""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import torch

import evaluate
from agents.training.config import TrainConfig
from agents.training.run import TrainingRun
from table.seating import read_seating
from table.session import Session

from .programs import TRAINING


def _warm() -> None:
    for module in ("train", "play", "uvicorn", "agents.training.show", "table.games", "table.server"):
        import_module(module)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        run = TrainingRun(Path(folder, "run"), TrainConfig(**TRAINING | {"steps": 128}))
        run.train()
        run.model.logger.close()
        evaluate.main(["greedy", "random", "--games", "2", "--jobs", "1", "--work", folder])
    table = Session(read_seating({"seats": [{"name": ""}, {"agent": "greedy"}]}, []))
    table.play(table.view()["legal"][0]["move"])


_warm()
