"""Random numbers for kernels: splitmix64, its state one unsigned 64-bit element of an array that the caller passes in.

Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the constants are those of its 64-bit
finalizer "Mix13" (Stafford). With the compiler off, callers wrap the call in `numpy.errstate(over="ignore")`.
"""

import numpy as np
import numpy.typing as npt

from engine._jit import kernel, scratch_kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)


@kernel
def random_bits(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Return 64 random bits and advance the state (1,)."""
    state[0] += _GAMMA
    bits: np.uint64 = state[0]
    bits = (bits ^ (bits >> _S30)) * _MIX1
    bits = (bits ^ (bits >> _S27)) * _MIX2
    return bits ^ (bits >> _S31)


@kernel
def random_below(state: npt.NDArray[np.uint64], bound: int) -> int:
    """Return a number 0..bound-1; its bias is below bound / 2^32, far under what any test of a bank could see."""
    drawn: int = np.int64(((random_bits(state) >> _S32) * np.uint64(bound)) >> _S32)  # type: ignore[assignment]  # a kernel's int
    return drawn


@kernel
def shuffle(state: npt.NDArray[np.uint64], items: npt.NDArray[np.uint8]) -> None:
    """Put `items` into random order (Fisher-Yates)."""
    for last in range(items.shape[0] - 1, 0, -1):
        other = random_below(state, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@scratch_kernel
def seed_streams(seed: np.uint64, start: int, states: npt.NDArray[np.uint64]) -> None:
    """Fill `states` (n,) with the start states of streams number `start`, `start + 1`, ... of a seed.

    Each is a mix of (seed, number): streams do not overlap in any practical amount of drawing.
    """
    one = np.zeros(1, np.uint64)
    for i in range(states.shape[0]):
        one[0] = seed ^ (np.uint64(start + i) * _MIX2)
        random_bits(one)
        states[i] = random_bits(one) ^ (np.uint64(start + i) << _S32)


@kernel
def shuffle_rows(states: npt.NDArray[np.uint64], rows: npt.NDArray[np.uint8]) -> None:
    """Shuffle every row of `rows` (n, k) with its own state (n,)."""
    for i in range(rows.shape[0]):
        shuffle(states[i : i + 1], rows[i])


@kernel
def draw_below(states: npt.NDArray[np.uint64], bound: int, drawn: npt.NDArray[np.int64]) -> None:
    """Fill `drawn` (n,) with numbers 0..bound-1, each from its own state (n,)."""
    for i in range(drawn.shape[0]):
        drawn[i] = random_below(states[i : i + 1], bound)
