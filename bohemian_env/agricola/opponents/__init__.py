"""The scripted opponents, by name (scripted.py): planner.py chooses, estimate.py says what a farm is worth."""
