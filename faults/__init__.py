"""A campaign of faults: kills, full disks, damaged files, fuzzed inputs, hostile requests, and games by two rule books.

`python -m faults --hours 8` runs it and goes on where it stopped; `make campaign MINUTES=30` does, too. `campaign.py`
hands out attempts, each made by a seed, to processes that may die of them; `ledger.py` keeps what they found;
`page.py` writes docs/reliability.md from that. The faults themselves are listed in `kinds.py`.

`fuzz.py` tries inputs at doors, which are in `doors_game.py`, `doors_envs.py`, `doors_files.py`, `doors_agents.py` and
`doors_table.py`; `odd.py` has odd values and makes inputs of valid examples, and `guided.py` lets coverage choose them.
`damage.py` damages files.
"""
