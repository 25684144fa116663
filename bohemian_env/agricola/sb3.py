"""The Stable-Baselines3 face of Agricola, for MaskablePPO. It needs stable-baselines3."""

from ..engine.sb3 import LearnerVecEnv
from .faces import SelfPlay


class AgricolaVecEnv(LearnerVecEnv):
    """One seat of each of ``num_envs`` games learns; see the floor's class."""

    self_play = SelfPlay
