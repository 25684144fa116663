"""The faults of a campaign."""

from __future__ import annotations

from typing import Final

from .campaign import Fault

__all__ = ["FAULTS", "FUZZED", "GUIDED"]

_SLOW: Final = 100_000
FUZZED: Final[dict[str, dict[str, int]]] = {
    "game": {
        "parse_move": 2_000_000, "Game.push": 500_000, "Game.roll": 500_000, "Game.from_position": 300_000,
        "Game.from_record": _SLOW, "Game.new": 300_000, "Board.from_data": _SLOW, "Board.load": _SLOW,
        "Setup.of": 300_000, "Setup.start": 500_000, "pickled Game": _SLOW, "pickled Setup": 300_000,
        "pickled Start": 300_000, "pickled Board": _SLOW,
    },
    "envs": {
        "Batch.step": 2_000_000, "Batch.reset": 300_000, "Batch.observe": 500_000, "Batch.advise": 200_000,
        "Batch.random_actions": 300_000, "Batch": _SLOW, "SelfPlay.step": 300_000, "SelfPlay.reset": _SLOW,
        "SelfPlay.set_shares": 200_000, "SelfPlay": _SLOW, "raw_env": _SLOW, "raw_env.reset": 200_000,
        "raw_env.step": 500_000, "raw_env.observe": 200_000, "raw_env.set_state": _SLOW,
        "raw_env.action_to_text": 200_000, "raw_env.text_to_action": 200_000, "pickled Batch": _SLOW,
        "pickled raw_env": _SLOW, "pickled SelfPlay": _SLOW,
    },
    "files": {
        "agent.json": _SLOW, "agent.safetensors": _SLOW, "train.py --resume": _SLOW, "kept games": _SLOW,
        "settings.json": _SLOW,
    },
    "agents": {
        "AgentName.parse": 500_000, "agents.make": 200_000, "PolicyAgent.choose": 200_000,
        "evaluate.py": _SLOW, "train.py": _SLOW, "play.py": _SLOW,
    },
    "table": {
        "read_seating": 300_000, "Session": _SLOW, "Session.play": 200_000, "games.sqlite3": _SLOW, "records": _SLOW,
        "requests": _SLOW,
    },
}  # fmt: skip
"""The doors that are fuzzed, by their kinds, and how many inputs each is to have: 100,000 or more, all 14 million."""
GUIDED: Final = (
    "parse_move", "Game.from_position", "Game.from_record", "Game.new", "Board.from_data", "Board.load",
    "AgentName.parse", "settings.json", "agent.json", "read_seating", "Session",
)  # fmt: skip
"""Those that are fuzzed guided by coverage, too: readers in Python."""
_OF: Final = {
    "game": "moves, rolls, positions, records, boards, set-ups and pickles of them",
    "envs": "actions, seeds, numbers of games, states and pickles of environments and batches",
    "files": "the files of agents, runs and tournaments, with checksums that fit and without",
    "agents": "names, settings, observations and command lines",
    "table": "seatings, moves, rows of the database and whole requests",
}
_FUZZ: Final = (
    "Valid examples of {} are changed at random: odd values, parts left out, repeated, swapped, cut. Each is taken and "
    "makes sense, or is refused with a named error and changes nothing, within 1 s (longer on a loaded machine) and "
    "without memory beyond a bound."
)

_FUZZING: Final = [
    Fault(
        f"fuzz-{kind}",
        f"faults.doors_{kind}:attempt",
        _FUZZ.format(_OF[kind]),
        {f"fuzz: {door}": aim for door, aim in doors.items()},
    )
    for kind, doors in FUZZED.items()
]
FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "kill-training",
        "faults.kills:kill_training",
        "`train.py` is killed at random moments, often with what it had not synced dropped, and goes on. "
        "Every file loads, no finished checkpoint is lost, and the agent at the end plays.",
        {"kill training": 300, "kill training, unsynced writes dropped": 300},
        {"kill training, unsynced writes dropped"},
        limit=600,
    ),
    Fault(
        "kill-tournament",
        "faults.kills:kill_tournament",
        "`evaluate.py` is killed likewise, and given the same command. No finished chunk is lost or played again, and "
        "the results are byte by byte those of an undisturbed run.",
        {"kill tournament": 300, "kill tournament, unsynced writes dropped": 300},
        {"kill tournament, unsynced writes dropped"},
        limit=600,
    ),
    Fault(
        "kill-table",
        "faults.kills:kill_table",
        "`play.py` is killed likewise while two people play over HTTP, and started again. Every move that was "
        "acknowledged is there, with every game, and no deleted one.",
        {"kill table": 300, "kill table, unsynced writes dropped": 300},
        {"kill table, unsynced writes dropped"},
        limit=600,
    ),
    Fault(
        "disk",
        "faults.disk:disk",
        "A call that writes, syncs or names a file fails once: no space, an error, read-only, or only half is written. "
        "First each call as a file, output files, a checkpoint, an agent, a run's folder, kept games, the table's "
        "database and a move are written, then calls of the programs drawn by the seed. It is "
        "told in a sentence or goes on, files are whole, none is left behind, and the next start works.",
        {"failing call: train": 300, "failing call: evaluate": 300, "failing call: play": 300},
        {"failing call: train", "failing call: evaluate", "failing call: play"},
        limit=600,
    ),
    Fault(
        "http",
        "faults.web:hostile",
        "The table's server is sent thousands of requests that are malformed, foreign, stale, too long, too deep, or "
        "equal and at once, by clients that are slow, endless or gone. No answer is 5xx, lacks the security headers, "
        "or tells a seed or the token; slow clients are cut off, an honest one beside is answered within 2 s (longer "
        "on a loaded machine); no game changes but by accepted moves; nothing is printed, and the memory stays. "
        "Counted is what was answered.",
        aims={"http: malformed requests": 25_000, "http: paths that lead elsewhere": 20_000},
        limit=300,
    ),
    Fault(
        "beside",
        "faults.beside:beside",
        "Random games with two to five players by the compiled rules and by a second, plain implementation: legal "
        "moves and positions are the same at every decision, and at the end the scoring and the record.",
        {
            "beside the plain rules: ordinary": 33_400,
            "beside the plain rules: little boards": 33_400,
            "beside the plain rules: generated boards and tiny banks": 33_400,
        },
    ),
    Fault(
        "steps",
        "faults.steps:steps",
        "Random steps of many games at once, ordinary ones and such on generated boards with tiny banks; coins, "
        "figures, buildings, inns, tiles, dice, turns, the end and the legal actions are checked after every step. On "
        "a sample, observations are within their space, and masks are compared with the plain rules.",
        {"random steps with invariants": 1_000_000_000, "mask against the plain rules": 250_000},
    ),
    *_FUZZING,
    Fault(
        "fuzz-guided",
        "faults.guided:attempt",
        "The same at readers in Python, with inputs chosen by what they reach (Atheris, otherwise Hypothesis).",
        {f"guided: {door}": _SLOW for door in GUIDED},
    ),
    Fault(
        "damage",
        "faults.damage:attempt",
        "Files are damaged: bits flipped, cut, emptied, overwritten, mixed with others, huge numbers in front. Each "
        "is loaded as it was or refused with its named error, and none is deleted or written over. Records and boards, "
        "which people may write, may also be read as others; of saved games their number is compared.",
        {
            f"damaged: {name}": 3000
            for name in ("agents", "checkpoints", "records", "boards", "kept games", "games.sqlite3")
        },
    ),
    Fault(
        "damage-cache",
        "faults.damage:cache",
        "Files of the compiler's cache are damaged: the next program makes them anew, says so, and plays the same.",
        {"damaged: compiler cache": 60},
        share=0.3,
        limit=900.0,
    ),
)
"""What a campaign tries."""
