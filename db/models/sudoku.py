"""The sudoku bank."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, BigKey


class Sudoku(Base):
    """One puzzle up to equivalence: the form it was first given or made in, and all that is known of it."""

    __tablename__ = "sudoku"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    canonical: Mapped[str] = mapped_column(String(81), unique=True)
    puzzle: Mapped[str] = mapped_column(String(81))
    status: Mapped[str] = mapped_column(String(10), index=True)
    solution: Mapped[str | None] = mapped_column(String(81))
    solutions_found: Mapped[int]
    clues: Mapped[int] = mapped_column(index=True)
    automorphisms: Mapped[int | None]
    minimal: Mapped[bool | None]
    symmetry: Mapped[str | None] = mapped_column(String(20))
    sampling: Mapped[str | None] = mapped_column(String(20))
    weight: Mapped[float | None]
    er: Mapped[float | None] = mapped_column(index=True)
    ep: Mapped[float | None]
    ed: Mapped[float | None]
    bound: Mapped[bool | None]
    level: Mapped[str | None] = mapped_column(String(20), index=True)
    score: Mapped[int | None]
    rater: Mapped[str | None] = mapped_column(String(40))
    created_at: Mapped[float]


class SudokuTechnique(Base):
    """How often the rated path of a puzzle uses a technique: one row each, so that a bank can be asked for it."""

    __tablename__ = "sudoku_technique"

    sudoku_id: Mapped[int] = mapped_column(ForeignKey("sudoku.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)
    count: Mapped[int]
