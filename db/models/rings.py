"""The five rings positions and their solutions."""

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, BigKey


class RingPosition(Base):
    """A position up to symmetry, the best proven lower bound, and the optimum once it is proved."""

    __tablename__ = "ring_position"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    canonical: Mapped[str] = mapped_column(String(120), unique=True)
    state: Mapped[str] = mapped_column(String(120))
    lower_bound: Mapped[int] = mapped_column(index=True)
    best_clicks: Mapped[int | None] = mapped_column(index=True)
    optimal_clicks: Mapped[int | None] = mapped_column(index=True)
    origin: Mapped[dict[str, Any] | None]
    created_at: Mapped[float]


class RingSolution(Base):
    """A solution of a position by one method; `moves` solve `state`, which may be a symmetric twin of the position's."""

    __tablename__ = "ring_solution"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    position_id: Mapped[int] = mapped_column(ForeignKey("ring_position.id", ondelete="CASCADE"))
    method: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(String(120))
    moves: Mapped[str | None] = mapped_column(Text)
    clicks: Mapped[int | None] = mapped_column(index=True)
    lower_bound: Mapped[int]
    optimal: Mapped[bool] = mapped_column(index=True)
    nodes: Mapped[int | None] = mapped_column(BigInteger)
    certificate: Mapped[dict[str, Any] | None]
    seconds: Mapped[float | None]
    created_at: Mapped[float]

    __table_args__ = (UniqueConstraint("position_id", "method"),)
