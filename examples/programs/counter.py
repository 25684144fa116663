#!/usr/bin/env python3
"""A player in Python: it takes what has the highest printed value, and lets chance decide otherwise.

python evaluate.py "program:python examples/programs/counter.py" random
"""

import json
import random
import sys

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello 1 counter", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        villages, legal = json.loads(rest)["villages"], []
        worth = {(b["kind"], v["name"]): b.get("value", 0) for v in villages for b in v["buildings"]}
    elif word == "legal":
        legal.append(rest)
    elif word == "go":
        random.shuffle(legal)
        print("bestmove", max(legal, key=lambda move: worth.get(tuple(move.split(":")[-1].split("@")), 0)), flush=True)
    elif word == "quit":
        break
