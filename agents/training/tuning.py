"""What the weights of ``planner`` were tuned from.

They are frozen, since published figures refer to them. The program that tuned them by the cross-entropy method, and
that fitted how coins become chances of winning, is ``git show 9b272fe:agents/training/tuning.py``.
"""

from typing import Final

import numpy as np

FIRST: Final = np.array(
    (1.0, 0.6, 0.8, 0.2, 1.0, 0.5, 0.8, 0.5, 0.5, 0.5, 0.4, 1.0, 0.8, 0.4, 0.8, 0.4, 0.8, 0.1, 0.6, 0.5, 4.0, 2.0)
)
"""The weights that tuning started from, in the order of the planner's ``NAMES``; they were guessed."""
LARGEST: Final = 1e9  # the largest weight: sums of such are finite
