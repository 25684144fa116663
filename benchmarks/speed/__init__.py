"""How fast the environment is, beside others, measured in one run: ``make bench``. Begin with __main__.py, the command.

Timing: harness.py times cases in pinned processes, in rounds; startup.py times fresh processes. Cases: ours.py and
peers.py, with aec.py for PettingZoo's loop. Telling: machine.py and report.py. Commands of their own are training.py
(how fast training is) and versus.py (this checkout beside another).
"""
