"""The peg solitaire results."""

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, BigKey


class PegBoard(Base):
    """A board: its name and the hash of its geometry."""

    __tablename__ = "peg_board"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(60), index=True)
    shape_hash: Mapped[str] = mapped_column(String(32))
    holes: Mapped[int]
    text: Mapped[str] = mapped_column(Text)

    __table_args__ = (UniqueConstraint("name", "shape_hash"),)


class PegEnumeration(Base):
    """All figures of one board and start. `figures` keeps integers of any size exactly, as JSON text has no limit."""

    __tablename__ = "peg_enumeration"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    board_id: Mapped[int] = mapped_column(ForeignKey("peg_board.id", ondelete="CASCADE"))
    start: Mapped[int]
    positions: Mapped[int] = mapped_column(BigInteger)
    solutions_text: Mapped[str] = mapped_column(String(60))
    min_moves: Mapped[int | None]
    figures: Mapped[dict[str, Any]]
    graph_digest: Mapped[str | None] = mapped_column(ForeignKey("artifact.digest", ondelete="SET NULL"))
    created_at: Mapped[float]

    __table_args__ = (UniqueConstraint("board_id", "start"),)


class PegSolution(Base):
    """One solution of one board and start. `rank` is its index among all of them, where that fits 63 bits and is known."""

    __tablename__ = "peg_solution"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    board_id: Mapped[int] = mapped_column(ForeignKey("peg_board.id", ondelete="CASCADE"))
    start: Mapped[int]
    rank: Mapped[int | None] = mapped_column(BigInteger)
    finish: Mapped[int]
    jumps: Mapped[str] = mapped_column(Text)
    moves: Mapped[int]
    shortest: Mapped[bool]

    __table_args__ = (
        UniqueConstraint("board_id", "start", "jumps"),
        Index("ix_peg_solution_rank", "board_id", "start", "rank"),
        Index("ix_peg_solution_finish", "board_id", "start", "finish", "moves"),
    )
