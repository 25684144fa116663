"""How fast the environment is, beside others, measured in one run: ``make bench``.

harness.py times cases in pinned processes, in rounds; ours.py and peers.py say what is timed, aec.py and null_aec.py
help them; startup.py times fresh processes; comparisons.py holds ours against the peers and the targets; machine.py
says what it all ran on; report.py tells. throughput.py is the command. training.py, a command of its own, times
training.
"""
