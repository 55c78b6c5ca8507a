"""Puzzles of the bank that a directed search can begin with: those that are as wished for, or nearly."""

from typing import Final

from sqlalchemy import Connection

from db.queries import sudoku
from db.queries.sudoku import Filters
from engine.sudoku.symmetry import Symmetry
from engine.sudoku.wish import Wish

FROM_BANK: Final = 64
"""Puzzles taken from the bank: as many as the search keeps as parents."""

_LOOKED_AT: Final = 1000  # rows, the latest, in which puzzles with different solutions are looked for


def from_bank(conn: Connection, wish: Wish) -> list[str]:
    """Return up to `FROM_BANK` puzzles that are as wished or, where these are too few, near it in ER; one for each solution."""
    symmetry = None if wish.symmetry is Symmetry.NONE else str(wish.symmetry)
    wished = Filters(
        status="unique",
        symmetry=symmetry,
        clues=None if wish.clues is None else (wish.clues.low, wish.clues.high),
        er=None if wish.er is None else (wish.er.low, wish.er.high),
        level=wish.level,
        techniques=sorted(wish.techniques),
        without=sorted(wish.no_techniques),
    )
    chosen = {row["solution"]: row["puzzle"] for row in sudoku.query(conn, wished, sort="-id", limit=_LOOKED_AT)}
    if wish.er is not None:
        low, high = wish.er.low, wish.er.high
        below = Filters(status="unique", symmetry=symmetry, er=(None, low))
        above = Filters(status="unique", symmetry=symmetry, er=(high, None))
        rows = [
            *sudoku.query(conn, below, sort="-er", limit=FROM_BANK),
            *sudoku.query(conn, above, sort="er", limit=FROM_BANK),
        ]
        for row in sorted(rows, key=lambda row: max(low - row["er"], row["er"] - high)):
            chosen.setdefault(row["solution"], row["puzzle"])
    return list(chosen.values())[:FROM_BANK]
