"""What the 27-bit words of a digit (its candidates in the three bands) can tell, in every lane at once.

Octal reads well here: one octal digit is one minirow (three cells), three are a row, nine a band. Two 27-bit summaries of all
three bands let the bands share their work:

    minirow flags: bit 9 * row + 3 * box + band      whether that minirow of that band holds a candidate
    column flags:  bit 9 * band + column             whether that column of that band holds a candidate

In both, a digit has to be placed by permutations: of rows and boxes within each band, of bands and columns within each stack.
"Clean" means that bits 27 to 31 are 0; other results may have anything there.
"""

from typing import Final, TypeAlias

from engine.sudoku.lanes.machine import Vector, choose

_ABOVE: Final = 0xF8000000
"""The five bits that no cell uses."""
_ROWS: Final = (0o777, 0o777000, 0o777000000)
_BANDS: Final = (0o111111111, 0o222222222, 0o444444444)
_TWO_BOXES: Final = 0o077077077 | _ABOVE
_ONE_BOX: Final = 0o007007007 | _ABOVE
_TWO_COLUMNS: Final = 0o333333333 | _ABOVE
_ONE_COLUMN: Final = 0o111111111 | _ABOVE


# Places of the minirow flags where the row is the number of the band, and where it lies one or two rows above or below that.
_SAME: Final = sum(_ROWS[i] & _BANDS[i] for i in range(3))
_ONE_UP: Final = sum(_ROWS[i + 1] & _BANDS[i] for i in range(2))
_TWO_UP: Final = _ROWS[2] & _BANDS[0]
_ONE_DOWN: Final = sum(_ROWS[i - 1] & _BANDS[i] for i in (1, 2))

Bands: TypeAlias = tuple[Vector, Vector, Vector]


def minirow_flags(words: Bands) -> Vector:
    """Return the minirow flags of three clean words, clean."""
    first, second, third = words
    return choose(
        _BANDS[0] | _ABOVE,
        first | (first >> 1) | (first >> 2),
        choose(
            _BANDS[1],
            second | (second >> 1) | (second << 1),
            third | (third << 1) | (third << 2),
        ),
    )


def fill_minirows(flags: Vector) -> Bands:
    """Return for minirow flags all cells of the flagged minirows."""
    first = flags & _BANDS[0]
    second = flags & _BANDS[1]
    third = flags & _BANDS[2]
    # 8 - 1, 4 * 2 - 2 / 2 and 2 * 4 - 4 / 4 are all 7: a minirow.
    return (first << 3) - first, (second << 2) - (second >> 1), (third + third) - (third >> 2)


def column_flags(words: Bands) -> Vector:
    """Return the column flags of three clean words, clean."""
    first, second, third = words
    return choose(
        _ROWS[0] | _ABOVE,
        first | (first >> 9) | (first >> 18),
        choose(
            _ROWS[1],
            second | (second >> 9) | (second << 9),
            third | (third << 9) | (third << 18),
        ),
    )


def fill_columns(flags: Vector) -> Bands:
    """Return for column flags all cells of the flagged columns."""
    up, down = flags << 9, flags >> 9
    return (
        choose(_ROWS[0], flags, choose(_ROWS[1], up, flags << 18)),
        choose(_ROWS[1], flags, choose(_ROWS[0], down, up)),
        choose(_ROWS[2], flags, choose(_ROWS[1], down, flags >> 18)),
    )


def other_rows(flags: Vector) -> Vector:
    """Return which flags of clean flags are set in at least one of the two other rows."""
    return (flags >> 9) | (flags << 18) | (flags >> 18) | (flags << 9)


def _turn_boxes(flags: Vector) -> tuple[Vector, Vector]:
    """Return clean flags moved one and two boxes along, cyclically within each row."""
    return choose(_TWO_BOXES, flags >> 3, flags << 6), choose(_ONE_BOX, flags >> 6, flags << 3)


def _turn_columns(flags: Vector) -> tuple[Vector, Vector]:
    """Return clean flags moved one and two columns along, cyclically within each box."""
    return choose(_TWO_COLUMNS, flags >> 1, flags << 2), choose(_ONE_COLUMN, flags >> 2, flags << 1)


def _in_permutations(flags: Vector, once: Vector, twice: Vector) -> Vector:
    """Return the flags that belong to a permutation all of whose three places are flagged.

    `once` and `twice` are the flags moved one and two places along within each row of 9 bits. Place (row, p) is in two
    permutations: with (row + 1, p + 1) and (row + 2, p + 2), or with (row + 1, p + 2) and (row + 2, p + 1).
    """
    even = ((once >> 9) | (once << 18)) & ((twice >> 18) | (twice << 9))
    odd = ((twice >> 9) | (twice << 18)) & ((once >> 18) | (once << 9))
    return flags & (even | odd)


def locked_minirows(flags: Vector) -> Vector:
    """Return the minirow flags that some way to give the three rows of a band three different boxes can use.

    Keeping only those applies every locked candidate of rows and boxes at once.
    """
    once, twice = _turn_boxes(flags)
    return _in_permutations(flags, once, twice)


def locked_columns(flags: Vector) -> Vector:
    """Return the column flags that some way to give the three bands of a stack three different columns can use."""
    once, twice = _turn_columns(flags)
    return _in_permutations(flags, once, twice)


def lone_minirows(minirows: Vector, columns: Vector) -> Vector:
    """Return the minirow flags of boxes that hold one candidate: one minirow and one column of the box are flagged."""
    once, twice = _turn_columns(columns)
    # Of the three columns of a box two or more: the same in all three places.
    several = (columns & (once | twice)) | (once & twice)
    # From (band, box) of the column flags to (every row, box, band) of the minirow flags.
    wide = choose(
        _SAME,
        several,
        choose(_ONE_UP, several << 9, choose(_TWO_UP, several << 18, choose(_ONE_DOWN, several >> 9, several >> 18))),
    )
    return minirows & ~(other_rows(minirows) | wide)


def stacks_open(columns: Vector) -> Vector:
    """Return bits 2, 5 and 8 (one a stack) set where the stack's box in band 0 holds a flagged column; other bits vary."""
    return ((columns & 0o333) + 0o333) | columns
