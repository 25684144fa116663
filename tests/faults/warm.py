"""Importing this loads the programs, and compiles what they run in a game, so that processes forked from here start at
once."""

import io
import os
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import torch

import evaluate
from agents.training.config import preset
from agents.training.run import TrainingRun
from table.seating import read_seating
from table.session import Session

from .programs import WARM, training


def _warm(game: str) -> None:
    for module in ("train", "play", "uvicorn", "agents.training.show", "table.games", "table.server"):
        import_module(module)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        run = TrainingRun(Path(folder, "run"), replace(preset("quick", game), **training(game) | {"steps": 128}))
        run.train()
        run.model.logger.close()
        words = f"greedy random --game {game} --players 2 --games 2 --jobs 1 --work"
        evaluate.main([*words.split(), folder])
    table = Session(read_seating({"game": game, "seats": [{"name": ""}, {"agent": "greedy"}]}, []))
    table.play(table.view()["legal"][0]["move"])


_warm(os.environ[WARM])
