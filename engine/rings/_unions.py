"""Kernels on unions of two colours: where the beads of either are, and how many clicks bring them all home.

Words are those of `engine.rings._words`: one a colour, each turned so that the colour's own ring comes first. A union's word is
turned with its first colour. Two tables serve all pairs: one for rings that are neighbours, one for rings two apart.
"""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._codes import MODULUS, UNSEEN, code_at
from engine.rings._words import Frame, carried, rank, turned


class Unions(NamedTuple):
    """What the kernels know of a puzzle's unions. Pair `p` joins colours `p % rings` and `p % rings + 1 + p // rings`."""

    near: Frame
    """Neighbouring rings; `table` holds codes, see `engine.rings._codes`."""
    far: Frame
    """Rings two apart."""
    near_first: int
    """Which ring of its frame is home to the first colour of a pair of neighbours."""
    far_first: int


@folded
def union_word(words: NDArray[Any], pair: int, unions: Unions) -> Any:
    """Return the word of a pair's union, in the frame of its table. Shape of `words` is (rings,), dtype uint64."""
    rings = unions.near.rings
    apart = 1 + pair // rings
    first = pair % rings
    second = (first + apart) % rings
    at = unions.near_first if apart == 1 else unions.far_first
    return carried(words[first], at, unions.near) | carried(words[second], (at + apart) % rings, unions.near)


@folded
def union_base(pair: int, unions: Unions) -> Any:
    """Return which ring comes first in the frame of a pair's union: the `colour` that `turned` wants for its word."""
    rings = unions.near.rings
    at = unions.near_first if pair < rings else unions.far_first
    return (pair % rings + rings - at) % rings


@folded
def union_code(word: Any, pair: int, unions: Unions) -> Any:
    """Return the code of a union's distance."""
    number = rank(word, unions.near)
    return code_at(unions.near.table, number) if pair < unions.near.rings else code_at(unions.far.table, number)


@kernel
def union_clicks(words: NDArray[Any], pair: int, unions: Unions) -> int:
    """Return the exact distance of a union, found by walking home; -1 if no clicks lead there."""
    rings = unions.near.rings
    at = unions.near_first if pair < rings else unions.far_first
    home = carried(unions.near.ring_mask, at, unions.near)
    home |= carried(unions.near.ring_mask, (at + 1 + pair // rings) % rings, unions.near)
    word = union_word(words, pair, unions)
    code = union_code(word, pair, unions)
    if code == UNSEEN:
        return -1
    clicks = 0
    while word != home:
        wanted = (code + MODULUS - 1) % MODULUS
        for move in range(2 * rings + 2):
            after = turned(word, move, 0, unions.near)
            if union_code(after, pair, unions) == wanted:
                word = after
                break
        code = wanted
        clicks += 1
    return clicks
