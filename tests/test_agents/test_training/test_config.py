"""The settings of a training run."""

import dataclasses
import json
import shlex
from typing import Any

import pytest

import train
from agents.training.config import PRESETS, TrainConfig


@pytest.mark.parametrize(
    "changed", [{}, dict(players=4, minutes=2.5, bfloat16=False, scripted="greedy", trunk="32,16")]
)
def test_the_command_of_settings_gives_these_settings(changed: dict[str, Any]) -> None:
    settings = dataclasses.replace(PRESETS["hour"], **changed)
    words = shlex.split(settings.command())
    assert words[:2] == ["python", "train.py"]
    options = vars(train.command_line().parse_args([*words[2:], "--out", "x"]))
    given = {f.name: options[f.name] for f in dataclasses.fields(TrainConfig) if options[f.name] is not None}
    assert TrainConfig(**given) == settings


def test_no_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="no opponents"):
        TrainConfig(current=0, snapshots=0, scripted="")


@pytest.mark.parametrize("name", ["minutes", "players", "trunk", "advice", "scripted", "snapshot_every"])
@pytest.mark.parametrize("value", [None, [], {}])
def test_settings_of_another_kind_are_refused(name: str, value: Any) -> None:
    data = json.loads(TrainConfig().to_json())
    with pytest.raises(ValueError, match=f"^{name} .* is not of the type "):
        TrainConfig.from_json(json.dumps(data | {name: value}))
    with pytest.raises(ValueError, match="no settings"):
        TrainConfig.from_json("[" * 100_000)


def test_settings_of_another_version_are_refused() -> None:
    data = json.loads(TrainConfig().to_json())
    assert TrainConfig.from_json(json.dumps(data)) == TrainConfig()
    for changed, said in (
        ({name: value for name, value in data.items() if name != "gamma"}, "gamma"),
        (data | {"colour": "red"}, "colour"),
        (data | {"players": 9}, "players 9"),
        ([1], r"\[1\]"),
    ):
        with pytest.raises(ValueError, match=said):
            TrainConfig.from_json(json.dumps(changed))
    with pytest.raises(ValueError, match="Expecting"):
        TrainConfig.from_json("nonsense")
