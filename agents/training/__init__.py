"""Training by self-play. Begin with run.py, which holds it together.

config.py has the settings, ppo.py the learner, league.py its opponents, and panel.py those that it is measured against;
ranks.py lets several processes make one run; folder.py says whose a folder is, and checkpoint.py what a run goes on
from; imitation.py is a warm start, and show.py shows how a run gets on. The command td.py teaches the network of
``appraiser``, which install.py puts in its place; tuning.py has what the weights of ``planner`` were tuned from.

Nothing is imported here, so that a config can be read without loading torch.
"""
