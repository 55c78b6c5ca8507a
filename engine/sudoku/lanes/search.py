"""The driver of the lanes: gives each lane its puzzles, lets it branch when stuck and takes back when dead."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel
from engine.sudoku.lanes.bits import population, trailing_zeros
from engine.sudoku.lanes.branch import choose, follow, refuse
from engine.sudoku.lanes.lane import Words, candidates, load, place, restore, save, store
from engine.sudoku.lanes.layout import BLAMELESS, CELLS, FRAME, GUESSED, LANES, ONE_BLAME
from engine.sudoku.lanes.propagate import DEAD_SHIFT, MANY_SHIFT, NEWS_SHIFT, one_pass
from engine.sudoku.rng import random_below

DEPTH: Final = 81
"""Most branches open at once: each fixes a cell."""

_NONE: Any = np.int64(0)
_UNIT: Any = np.int64(1)
_UNIT_64 = np.uint64(1)
_CELLS = np.uint64(CELLS)
_ALL_LANES: Any = np.int64((1 << LANES) - 1)


@folded
def _frame(lane: int, depth: int) -> np.uint64:
    """Return where in the stack a lane's frame of some depth begins."""
    return (np.uint64(lane) * np.uint64(DEPTH) + np.uint64(depth)) * np.uint64(FRAME)


@folded
def _draw(words: Words, lane: int, cell: int, draw: npt.NDArray[np.uint64]) -> int:
    """Place one of a cell's candidates, each equally likely, and return how many there were."""
    digits = np.uint64(candidates(words, lane, cell))
    choices = population(digits)
    for _ in range(random_below(draw, choices)):
        digits &= digits - _UNIT_64
    place(words, lane, cell, trailing_zeros(digits))
    return choices


@folded
def _forgive(blame: npt.NDArray[np.uint32], lane: int) -> None:
    """Forget which cells of a lane were to blame."""
    for cell in range(CELLS):
        blame[np.uint64(lane) * _CELLS + np.uint64(cell)] = BLAMELESS[np.uint64(cell)]


@folded
def _help(  # noqa: PLR0917  # a kernel takes its arrays by position
    words: Words,
    stack: npt.NDArray[np.uint64],
    owner: npt.NDArray[np.int64],
    base: npt.NDArray[np.int64],
    depth: npt.NDArray[np.int64],
    running: int,
    shared: npt.NDArray[np.bool_],
    latest: npt.NDArray[np.int64],
    blame: npt.NDArray[np.uint32],
) -> int:
    """Give idle lanes the oldest other choice of lanes that have one, which is the largest; return which lanes run now."""
    idle = ~running & _ALL_LANES
    for giver in range(LANES):
        while idle and (running >> giver) & _UNIT and depth[giver] > base[giver]:
            lane = trailing_zeros(np.uint64(idle))
            idle &= idle - _UNIT
            at = _frame(giver, base[giver])
            restore(stack, at, words, lane)
            latest[lane] = np.int64(stack[at + np.uint64(GUESSED)])
            for cell in range(CELLS):
                blame[np.uint64(lane) * _CELLS + np.uint64(cell)] = blame[np.uint64(giver) * _CELLS + np.uint64(cell)]
            base[giver] += 1
            owner[lane] = owner[giver]
            base[lane] = 0
            depth[lane] = 0
            shared[owner[lane]] = True
            running |= _UNIT << lane
    return running


@kernel
def search(  # noqa: PLR0917  # a kernel takes its arrays by position
    tasks: npt.NDArray[np.uint8],
    limit: int,
    first: npt.NDArray[np.uint8],
    second: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
    shared: npt.NDArray[np.bool_],
    draws: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.float64],
    words: npt.NDArray[np.uint32],
    stack: npt.NDArray[np.uint64],
    owner: npt.NDArray[np.int64],
    base: npt.NDArray[np.int64],
    depth: npt.NDArray[np.int64],
    latest: npt.NDArray[np.int64],
    blame: npt.NDArray[np.uint32],
    figures: npt.NDArray[np.int64],
) -> None:
    """Search every task (n, 81) for up to `limit` solutions; what a task gives does not depend on its neighbours.

    Fills `first`, `second` (n, 81) and `counts` (n,), which must come in as zeros. With `limit` 0 a task is not searched but
    *descended*: at each stuck point one candidate is drawn at random (state `draws[n]`) and never taken back; then `counts`
    is 1 if a solution was reached, and `weights` (n,), to come in as ones, is the product of the numbers of candidates drawn
    from: the inverse of the probability of that solution.

    With `shared` (n,), False on entry, lanes that would run idle at the end help with the tasks that are left. Those tasks
    come out marked: their count is right, but which solutions were found, and in which order, was a matter of chance if there
    is more than one. With an empty `shared` no lane helps another.

    `words` is the lane array, `stack` is (LANES * DEPTH * FRAME,); `owner`, `base`, `depth` and `latest` (LANES,) and `blame`
    (LANES * CELLS,) are scratch. The passes and the guesses made are added to `figures` (2,).
    """
    descend = limit == 0
    total = tasks.shape[0]
    upcoming = _NONE
    running = _NONE
    passes = 0
    guesses = 0
    for lane in range(LANES):
        base[lane] = 0
        depth[lane] = 0
        _forgive(blame, lane)
        if upcoming < total:
            load(tasks, upcoming, words, lane)
            owner[lane] = upcoming
            upcoming += 1
            running |= _UNIT << lane
    while running:
        report = one_pass(words)
        passes += 1
        dead = report >> DEAD_SHIFT
        unsolved = report >> MANY_SHIFT
        # Candidates may still fall by locking where no single came up: waiting for that costs more than it saves (measured).
        calm = ~(report >> NEWS_SHIFT)
        stuck = calm & unsolved & ~dead & running
        over = (dead | (calm & ~unsolved)) & running
        # Saving comes well before choosing: what was just stored in small pieces is slow to read in large ones.
        left = stuck
        while left:
            lane = trailing_zeros(np.uint64(left))
            left &= left - _UNIT
            save(words, lane, stack, _frame(lane, depth[lane]))
        left = over
        while left:
            lane = trailing_zeros(np.uint64(left))
            left &= left - _UNIT
            task = owner[lane]
            if not (dead >> lane) & _UNIT:
                if counts[task] == 0:
                    store(words, lane, first, task)
                elif counts[task] == 1 and limit > 1:
                    store(words, lane, second, task)
                if descend or counts[task] < limit:
                    counts[task] += 1
                if counts[task] >= limit:
                    # Helpers, too, have nothing to go back to.
                    for other in range(LANES):
                        if owner[other] == task:
                            base[other] = depth[other]
            if depth[lane] > base[lane]:
                blame[np.uint64(lane) * _CELLS + np.uint64(latest[lane])] += ONE_BLAME
                depth[lane] -= 1
                at = _frame(lane, depth[lane])
                restore(stack, at, words, lane)
                latest[lane] = np.int64(stack[at + np.uint64(GUESSED)])
            elif upcoming < total:
                load(tasks, upcoming, words, lane)
                _forgive(blame, lane)
                owner[lane] = upcoming
                upcoming += 1
                base[lane] = 0
                depth[lane] = 0
            else:
                running &= ~(_UNIT << lane)
        left = stuck
        while left:
            lane = trailing_zeros(np.uint64(left))
            left &= left - _UNIT
            task = owner[lane]
            at = _frame(lane, depth[lane])
            guess = choose(words, lane, stack, at, blame)
            if descend:
                weights[task] *= _draw(words, lane, (guess >> 4) & 127, draws[task : task + 1])
            elif counts[task] >= limit:
                running &= ~(_UNIT << lane)  # a helper was quicker
            else:
                refuse(guess, stack, at)
                latest[lane] = (guess >> 4) & 127
                depth[lane] += 1
                follow(words, lane, guess)
        guesses += population(np.uint64(stuck))
        if running and running != _ALL_LANES and shared.shape[0] > 0:
            running = _help(words, stack, owner, base, depth, running, shared, latest, blame)
    figures[0] += passes
    figures[1] += guesses
