"""A warm start: the network learns to play like a teacher, from games that this plays with itself.

The teacher is a scripted opponent, or ``search:appraiser`` with a number of playouts, whose moves are better than those
that it is told before it searches: expert iteration (Anthony et al. 2017). Compiled code plays a scripted opponent's
games far faster than a network learns from them, so every decision is used only once. Some moves of the games are
random, so that the network also sees positions which the teacher would not reach; what it learns is always the
teacher's choice. The moves of a turn can often be made in either order; moves that are worth the same to
the teacher share the target equally.
"""

from typing import Final, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.network.net import PolicyNet, masked_logits
from agents.players.names import APPRAISER, AgentName
from bohemian_env.engine.bits import Word
from bohemian_env.engine.chance import STEP, mix, unit
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.dealing import next_seed
from bohemian_env.engine.legal import legal_count, pick_legal
from bohemian_env.villages import rules
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_SIZE, AdviceRoom, advice_room, write_advice
from bohemian_env.villages.faces import deal_game, deal_seeded, reward_number, write_mask, write_rewards
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.villages.opponents import Scratch, Scripted, lookahead, new_scratch, values_of
from bohemian_env.villages.opponents.appraiser import Weights, of_size
from bohemian_env.villages.opponents.halving import playout_seed
from bohemian_env.villages.setup import Setup
from bohemian_env.villages.state import State, new_states

from .ranks import ALONE, Ranks

EQUAL: Final = 1e-9  # the coins by which the values of moves that are worth the same may differ


@njit
def _best_set(mask: np.ndarray, values: np.ndarray, best: np.ndarray) -> int:
    """Mark the legal actions with the highest value in ``best``, int8 (NUM_ACTIONS,), and return their number."""
    highest = -np.inf
    for action in range(NUM_ACTIONS):
        if mask[action] and values[action] > highest:
            highest = values[action]
    for action in range(NUM_ACTIONS):
        best[action] = mask[action] and values[action] >= highest - EQUAL
    return best.sum()


@njit
def _found_set(
    s: State, seed: Word, playouts: int, weights: Weights, looking: lookahead.Room, mask: np.ndarray, best: np.ndarray
) -> int:
    """Mark the action that a search of ``s`` finds, and those that begin the same turn, as :func:`_best_set` does."""
    # To where its turn after the next begins, as search:appraiser does when it plays.
    lookahead.search(s, playout_seed(s, seed), playouts, 2 * s["players"] - 1, weights, looking)
    best[:] = 0
    for i in range(mask.sum()):
        best[looking.candidates[i]["action"]] = looking.candidates[i]["prior"] == looking.candidates[0]["prior"]
    return best.sum()


class Rows(NamedTuple):
    """Decisions of a teacher, one in each row."""

    observations: np.ndarray  # what the seat to move sees: int8, (m, OBSERVATION_SIZE)
    masks: np.ndarray  # what it may do: int8, (m, NUM_ACTIONS)
    advice: np.ndarray  # what its adviser tells it: float32, (m, ADVICE_SIZE); no rows without advice
    targets: np.ndarray  # 1 for every action that is worth as much as the best: int8, (m, NUM_ACTIONS)
    returns: np.ndarray  # the seat's discounted reward: float32, (m,)


@njit
def demonstrate(
    seed: Word,
    teacher: int,
    playouts: int,
    random_part: float,
    gamma: float,
    common: np.ndarray,
    reward: int,
    states: np.ndarray,
    adviser: AdviceRoom,
    scratch: Scratch,
    looking: lookahead.Room,
    rows: Rows,
) -> Word:
    """Let a teacher play games with itself until the rows are full; return the seed of the game after the last one.

    Args:
        seed: the seed of the first game.
        teacher: the number of a scripted opponent.
        playouts: those of a decision if the teacher searches with the network of ``appraiser``, else 0.
        random_part: the part of the moves, 0 to 1, that are random.
        gamma: the discount of the returns for each decision of the same seat.
        common, adviser, scratch, looking: those of ``Setup.common``, ``advice_room``, ``new_scratch`` and
            ``search_room``.
        reward: the number of the reward.
        states: STATE, (1,), overwritten: the position of the game. It is the caller's, since numba would free an array
            of ours as soon as its record was taken.
        rows: overwritten. The last game is played to its end even if the rows are full before.
    """
    s = states[0]
    values = np.empty(NUM_ACTIONS, np.float64)
    rewards, totals = np.empty(MAX_PLAYERS, np.float32), np.empty(MAX_PLAYERS, np.int32)
    spare_mask, spare_best = np.empty(NUM_ACTIONS, np.int8), np.empty(NUM_ACTIONS, np.int8)
    room = rows.returns.shape[0]
    seats = np.empty(room, np.int8)
    own_later, unwritten = np.empty(MAX_PLAYERS, np.float64), np.zeros(MAX_PLAYERS, np.int64)
    n = 0
    while n < room:
        deal_game(s, seed, common[0])
        first = n
        word = mix(seed ^ STEP)
        while s["end"] == 0:
            if n < room:
                mask, best = rows.masks[n], rows.targets[n]
                write_observation(s, s["to_move"], rows.observations[n])
                if rows.advice.shape[0] != 0:
                    write_advice(s, s["to_move"], adviser, rows.advice[n])
                seats[n] = s["to_move"]
                n += 1
            else:
                mask, best = spare_mask, spare_best
                unwritten[s["to_move"]] += 1
            write_mask(s, mask)
            if playouts > 0:
                equals = _found_set(s, word, playouts, of_size(scratch.weights, s["players"]), looking, mask, best)
            else:
                values_of(teacher, s, scratch, values)
                equals = _best_set(mask, values, best)
            word += STEP
            explore = unit(mix(word)) < random_part
            word += STEP
            if explore:
                action = pick_legal(s, np.int64(unit(mix(word)) * legal_count(s)))
            else:
                left = np.int64(unit(mix(word)) * equals)
                action = 0
                while not best[action] or left > 0:
                    left -= best[action]
                    action += 1
            rules.push(s, action)
            deal_seeded(s, seed)
        write_rewards(s, reward, rewards, totals)
        for seat in range(MAX_PLAYERS):
            own_later[seat] = gamma ** unwritten[seat]
        for back in range(n - first):
            row = n - 1 - back
            rows.returns[row] = rewards[seats[row]] * own_later[seats[row]]
            own_later[seats[row]] *= gamma
        seed = next_seed(seed)
    return seed


class Demonstrations:
    """Decisions of a teacher, from ever new games.

    Args:
        rows: the number of decisions at a time.
        teacher: the name of a scripted opponent, or ``search:appraiser:N`` with N playouts for a decision.
        random_part, gamma: as for :func:`demonstrate`.
        setup: the set-up of the games.
        reward: a name of ``reward.REWARDS``.
        seed: the seed of the first game.
        adviser: whose advice to the seat to move is written down, "" for nobody's.
    """

    def __init__(
        self,
        rows: int,
        teacher: str,
        random_part: float,
        setup: Setup,
        *,
        reward: str,
        gamma: float,
        seed: int,
        adviser: str = "",
    ) -> None:
        playouts = AgentName.parse(teacher).budget.playouts
        number = Scripted(APPRAISER if playouts else teacher).number
        room = new_states(1), advice_room(adviser or "planner"), new_scratch(), lookahead.search_room()
        self._fixed = (number, playouts, random_part, gamma, setup.common(), reward_number(reward), *room)
        self.seed = seed
        """The seed of the next game."""
        self.rows = Rows(
            np.zeros((rows, OBSERVATION_SIZE), np.int8),
            np.zeros((rows, NUM_ACTIONS), np.int8),
            np.zeros((rows if adviser else 0, ADVICE_SIZE), np.float32),
            np.zeros((rows, NUM_ACTIONS), np.int8),
            np.zeros(rows, np.float32),
        )

    def next(self) -> None:
        """Fill the rows with new decisions."""
        self.seed = int(demonstrate(np.uint64(self.seed), *self._fixed, self.rows))


def imitate(
    net: PolicyNet,
    optimizer: torch.optim.Optimizer,
    shown: Demonstrations,
    *,
    minibatch: int,
    value_weight: float,
    max_gradient: float,
    bfloat16: bool = False,
    device: str = "cpu",
    ranks: Ranks = ALONE,
) -> tuple[float, float, float]:
    """Learn once from the decisions in ``shown``.

    Args:
        ranks: those that learn together, each from decisions and minibatches of its own.

    Returns:
        The means of the cross-entropy above its lowest possible value, of the squared error of the value, and of the
        probability of the best moves.
    """
    observations, masks, advice, targets, returns = (torch.from_numpy(array).to(device) for array in shown.rows)
    masks, targets = masks.bool(), targets.bool()
    parameters = list(net.parameters())
    sums = torch.zeros(3, device=device)
    for chosen in torch.randperm(len(returns), device=device).split(minibatch):
        # The cache of cast weights would outlive the optimiser's step.
        with torch.autocast(torch.device(device).type, torch.bfloat16, enabled=bfloat16, cache_enabled=False):
            logits, values = net(observations[chosen], advice[chosen] if net.shape.adviser else None)
        log_probabilities = functional.log_softmax(masked_logits(logits.float(), masks[chosen]), dim=1)
        best = targets[chosen].float()
        count = best.sum(1)
        # All equally good moves have the same part of the target, whose entropy is log(count).
        policy_loss = (-(best * log_probabilities).sum(1) / count - count.log()).mean()
        value_loss = functional.mse_loss(values.float(), returns[chosen])
        optimizer.zero_grad()
        (policy_loss + value_weight * value_loss).backward()
        ranks.average(parameter.grad for parameter in parameters if parameter.grad is not None)
        nn.utils.clip_grad_norm_(parameters, max_gradient)
        optimizer.step()
        with torch.no_grad():
            right = (best * log_probabilities.exp()).sum(1).mean()
            sums += len(chosen) * torch.stack([policy_loss, value_loss, right])
    ranks.share(parameters)  # processors of different kinds round differently
    ranks.average([sums])
    policy, value, right = (sums / len(returns)).tolist()
    return policy, value, right
