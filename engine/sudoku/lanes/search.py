"""The driver of the lanes: gives each lane its puzzles, lets it branch when stuck and takes back when dead."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import kernel
from engine.sudoku.lanes.branch import choose
from engine.sudoku.lanes.lane import (
    count_candidates,
    exclude,
    is_solution,
    load,
    nth_candidate,
    place,
    restore,
    save,
    store,
)
from engine.sudoku.lanes.layout import DEAD, LANES, MANY, NEWS
from engine.sudoku.lanes.propagate import one_pass
from engine.sudoku.rng import random_below

DEPTH: Final = 81
"""Most branches open at once: each fixes a cell."""

_ZERO = np.uint32(0)
_NONE: Any = np.int64(0)


@kernel
def search(  # noqa: PLR0917  # a kernel takes its arrays by position
    tasks: npt.NDArray[np.uint8],
    limit: int,
    first: npt.NDArray[np.uint8],
    second: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
    draws: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.float64],
    words64: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint32],
    stack: npt.NDArray[np.uint32],
    owner: npt.NDArray[np.int64],
    depth: npt.NDArray[np.int64],
    up: npt.NDArray[np.uint64],
    low: npt.NDArray[np.uint64],
    codes: npt.NDArray[np.uint32],
    figures: npt.NDArray[np.int64],
) -> None:
    """Search every task (n, 81) for up to `limit` solutions; what a task gives does not depend on its neighbours.

    Fills `first`, `second` (n, 81) and `counts` (n,), which must come in as zeros. With `limit` 0 a task is not searched but
    *descended*: at each stuck point one candidate is drawn at random (state `draws[n]`) and never taken back; then `counts`
    is 1 if a solution was reached, and `weights` (n,), to come in as ones, is the product of the numbers of candidates drawn
    from: the inverse of the probability of that solution. `words64` and `words` are two views of the lane array, `stack` is
    (LANES, DEPTH, SAVED); `owner` and `depth` (LANES,), `up` and `low` (9,) and `codes` (3 * CODES,) are scratch. `figures`
    gets the passes and the guesses made.
    """
    descend = limit == 0
    total = tasks.shape[0]
    upcoming = _NONE
    active = 0
    passes = 0
    guesses = 0
    for lane in range(LANES):
        owner[lane] = -1
        depth[lane] = 0
        if upcoming < total:
            load(tasks, upcoming, words, lane, codes)
            owner[lane] = upcoming
            upcoming += 1
            active += 1
    while active > 0:
        one_pass(words64)
        passes += 1
        for lane in range(LANES):
            task = owner[lane]
            if task < 0:
                continue
            take_back = False
            if words[DEAD * LANES + lane]:
                take_back = True
            elif (words[MANY * LANES + lane] | words[(MANY + 1) * LANES + lane] | words[(MANY + 2) * LANES + lane]) == _ZERO:
                take_back = True
                if is_solution(words, lane):
                    if counts[task] == 0:
                        store(words, lane, first, task)
                    elif counts[task] == 1:
                        store(words, lane, second, task)
                    counts[task] += 1
                    if counts[task] >= limit:
                        depth[lane] = 0
            elif words[NEWS * LANES + lane] == _ZERO:
                # Candidates may still fall by locking, but waiting for that costs more passes than it saves guesses (measured).
                guesses += 1
                chosen = choose(words, lane, up, low)
                cell = chosen >> 4
                if descend:
                    choices = count_candidates(words, lane, cell)
                    weights[task] *= choices
                    place(words, lane, cell, nth_candidate(words, lane, cell, random_below(draws[task : task + 1], choices)))
                else:
                    level = depth[lane]
                    save(words, lane, stack, level)
                    exclude(words, lane, cell, chosen & 15, stack, level)
                    depth[lane] = level + 1
                    place(words, lane, cell, chosen & 15)
            if take_back:
                if depth[lane] > 0:
                    depth[lane] -= 1
                    restore(stack, depth[lane], words, lane)
                elif upcoming < total:
                    load(tasks, upcoming, words, lane, codes)
                    owner[lane] = upcoming
                    upcoming += 1
                else:
                    owner[lane] = -1
                    active -= 1
    figures[0] += passes
    figures[1] += guesses
