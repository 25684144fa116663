"""Agricola, version 0 of the environment: ``env`` and ``raw_env``."""

from .agricola.faces import env, raw_env

__all__ = ["env", "raw_env"]
