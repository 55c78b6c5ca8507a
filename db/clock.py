"""The time of day that leases are reckoned in: the database's own, so that skewed machines cannot disagree about it."""

from collections.abc import Callable
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Double, bindparam, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

Clock: TypeAlias = Callable[[], float]
"""An injected clock, for tests: returns seconds since 1970 UTC."""


class EpochNow(FunctionElement[float]):
    """SQL expression: the database's time in seconds since 1970 UTC, the same for the whole statement."""

    type = Double()
    inherit_cache = True


@compiles(EpochNow, "sqlite")
def _sqlite(_element: EpochNow, _compiler: SQLCompiler, **_kw: Any) -> str:
    # 2440587.5 is the Julian day of 1970-01-01 00:00 UTC; SQLite keeps 'now' to the millisecond.
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(EpochNow, "postgresql")
def _postgresql(_element: EpochNow, _compiler: SQLCompiler, **_kw: Any) -> str:
    # statement_timestamp() and not clock_timestamp(): only a stable function may be matched against an index.
    return "CAST(extract(epoch FROM statement_timestamp()) AS DOUBLE PRECISION)"


def now_expression(clock: Clock | None) -> ColumnElement[float]:
    """Return the time as an SQL expression: the database's, or the injected clock's, read at each execution."""
    return EpochNow() if clock is None else bindparam("now_", callable_=clock, type_=Double(), unique=True)


def read_now(conn: Connection, clock: Clock | None = None) -> float:
    """Return the time in seconds since 1970 UTC, asking the database unless a clock is injected."""
    if clock is not None:
        return clock()
    return float(conn.execute(select(EpochNow())).scalar_one())
