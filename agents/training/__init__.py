"""Training by self-play: ``settings``, the learner (``ppo``), its ``opponents``, the ``run`` that holds them together.

Nothing is imported here, so that settings can be read without loading torch.
"""
