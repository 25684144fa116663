"""Training by self-play: ``settings``, the learner (``ppo``), its opponents (``league``), what it is measured against
(``panel``), ``imitation`` for networks without advice, the ``run`` that holds all together, and its display (``show``).

Nothing is imported here, so that settings can be read without loading torch.
"""
