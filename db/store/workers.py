"""Which workers there are, and when each was last seen alive."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from db.models import Worker
from db.store.terms import Terms
from engine.jobs import JsonObject
from engine.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class WorkerView:
    """A supervised worker: a machine's share of slots. Times are seconds since 1970 UTC."""

    name: str
    host: str
    pid: int
    slots: int
    state: str
    engine_version: str
    started_at: float
    last_seen: float
    restarts: int

    def as_json(self) -> JsonObject:
        """Return all fields, in order, as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Alive:
    """What a worker says of itself."""

    name: str
    host: str
    pid: int
    slots: int
    state: str
    restarts: int


def seen(conn: Connection, terms: Terms, worker: Alive) -> None:
    """Note that the worker is alive now; make its row at the first time."""
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    values = {
        **{name: value for name, value in asdict(worker).items() if name != "name"},
        "engine_version": ENGINE_VERSION,
        "last_seen": terms.now(),
    }
    conn.execute(
        make(Worker)
        .values(name=worker.name, started_at=terms.now(), **values)
        .on_conflict_do_update(index_elements=[Worker.name], set_=values)
    )


def gone(conn: Connection, name: str) -> None:
    """Forget a worker that has ended in good order."""
    conn.execute(delete(Worker).where(Worker.name == name))


def workers(conn: Connection, terms: Terms, alive_within: float | None) -> list[WorkerView]:
    """Return the workers in name order; only those seen within so many seconds, if asked."""
    statement = select(*Worker.__table__.c).order_by(Worker.name)
    if alive_within is not None:
        statement = statement.where(Worker.last_seen >= terms.now() - alive_within)
    return [WorkerView(**row) for row in conn.execute(statement).mappings()]
