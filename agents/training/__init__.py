"""Training by self-play: settings, the learner, its opponents, and the run that holds them together."""

from .run import BadRun, Progress, TrainingRun
from .settings import Settings

__all__ = ["BadRun", "Progress", "Settings", "TrainingRun"]
