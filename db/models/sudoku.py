"""The sudoku bank."""

from typing import Any, Final

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, BigKey

NOT_UNIQUE: Final = "status <> 'unique'"
"""The condition of a partial index. A query that is to use it says the same, in these words."""
IS_RATED: Final = "er IS NOT NULL"
"""Likewise; any comparison with ER implies it."""


class Sudoku(Base):
    """One puzzle up to equivalence: the form it was first given or made in, and all that is known of it."""

    __tablename__ = "sudoku"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    # Compared byte by byte: quicker than by a language's rules, and rivals insert in one order whatever the server's language.
    canonical: Mapped[str] = mapped_column(String(81).with_variant(String(81, collation="C"), "postgresql"), unique=True)
    puzzle: Mapped[str] = mapped_column(String(81))
    status: Mapped[str] = mapped_column(String(10))
    solution: Mapped[str | None] = mapped_column(String(81))
    solutions_found: Mapped[int]
    clues: Mapped[int] = mapped_column(index=True)
    automorphisms: Mapped[int | None]
    minimal: Mapped[bool | None]
    symmetry: Mapped[str | None] = mapped_column(String(20))
    sampling: Mapped[str | None] = mapped_column(String(20))
    weight: Mapped[float | None]
    er: Mapped[float | None]
    ep: Mapped[float | None]
    ed: Mapped[float | None]
    bound: Mapped[bool | None]
    level: Mapped[str | None] = mapped_column(String(20))
    score: Mapped[int | None]
    rater: Mapped[str | None] = mapped_column(String(40))
    created_at: Mapped[float]
    techniques: Mapped[dict[str, Any] | None]
    """How often the rated path uses each technique, by name; null if it is not rated."""

    # An index costs something for every puzzle that is in it, and most puzzles are of the kind nobody looks for.
    __table_args__ = (
        Index("ix_sudoku_status", "status", sqlite_where=text(NOT_UNIQUE), postgresql_where=text(NOT_UNIQUE)),
        Index("ix_sudoku_er", "er", sqlite_where=text(IS_RATED), postgresql_where=text(IS_RATED)),
        Index("ix_sudoku_level", "level", sqlite_where=text(IS_RATED), postgresql_where=text(IS_RATED)),
    )


class Technique(Base):
    """A technique that some rated path uses."""

    __tablename__ = "technique"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)


class SudokuTechnique(Base):
    """Which puzzles use a technique, so that a bank can be asked for it: the rows of `Sudoku.techniques` by technique.

    There are several for each puzzle: so they hold numbers only, lie in the order in which they are looked up, and the database
    does not check each of them for its puzzle and technique, which the same transaction has written.
    """

    __tablename__ = "sudoku_technique"

    technique_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    sudoku_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)

    __table_args__ = ({"sqlite_with_rowid": False},)
