"""Checking again what is stored: records are recomputed by their family; a job's chunks are run anew and digests compared."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from db.errors import ArtifactError, JobNotFoundError
from db.models import Chunk, ChunkState, Job
from db.results import Cursor, Scope, family_results
from db.session import read
from engine import registry
from engine.errors import EngineError
from engine.jobs import ChunkSpec, JobKind, JsonObject, run_to_end
from engine.registry import Family
from engine.version import ENGINE_VERSION

PAGE = 1000
"""Records read in one short transaction, so that no transaction stays open while they are checked."""


@dataclass(frozen=True, slots=True)
class VerifyOutcome:
    """One thing that was checked: what it is called, and what is wrong with it, or None."""

    family: str
    label: str
    problem: str | None

    @property
    def ok(self) -> bool:
        """Whether it holds."""
        return self.problem is None

    def as_json(self) -> JsonObject:
        """Return all fields as JSON."""
        return {**asdict(self), "ok": self.ok}


def verify(
    engine: Engine,
    family: str | None = None,
    job_id: int | None = None,
    limit: int | None = None,
    *,
    artifact_dir: Path | None = None,
    families: Callable[[], Mapping[str, Family]] = registry.families,
    kinds: Callable[[], Mapping[str, JobKind[Any]]] = registry.kinds,
) -> Iterator[VerifyOutcome]:
    """Yield an outcome for each record (or, for a job, each done chunk and each of its records) that is checked.

    Without a family all are checked, in name order, up to `limit` records of each. Files (solution graphs) are read and checked
    if their folder is given. Raise `JobNotFoundError` if there is no such job.
    """
    if job_id is not None:
        yield from _chunks(engine, job_id, limit, kinds())
    scope = Scope(job_id, artifact_dir)
    for name, members in families().items():
        if family in (None, name):
            yield from _records(engine, members, scope, limit)


def _records(engine: Engine, family: Family, scope: Scope, limit: int | None) -> Iterator[VerifyOutcome]:
    results = family_results(family.name)
    cursor: Cursor | None = None
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        with read(engine) as conn:
            page = results.load_records(conn, scope, cursor, size)
        found = family.verify([record for _, record in page.records if not isinstance(record, ArtifactError)])
        for label, record in page.records:
            problem = str(record) if isinstance(record, ArtifactError) else next(found)
            yield VerifyOutcome(family.name, label, problem)
        cursor = page.cursor
        if cursor is None:
            return
        if left is not None:
            left -= len(page.records)


def _chunks(engine: Engine, job_id: int, limit: int | None, kinds: Mapping[str, JobKind[Any]]) -> Iterator[VerifyOutcome]:
    with read(engine) as conn:
        job = conn.execute(select(Job.kind, Job.params, Job.seed).where(Job.id == job_id)).one_or_none()
        if job is None:
            raise JobNotFoundError(f"there is no job {job_id}")
        done = conn.execute(
            select(Chunk.id, Chunk.stage, Chunk.index.label("place"), Chunk.engine_version, Chunk.result_digest)
            .where(Chunk.job_id == job_id, Chunk.state == ChunkState.DONE)
            .order_by(Chunk.stage, Chunk.index)
            .limit(limit)
        ).all()
    kind = kinds.get(job.kind)
    for row in done:
        label = f"job {job_id} stage {row.stage} chunk {row.place}"
        if kind is None:
            yield VerifyOutcome(job.kind.partition(".")[0], label, f"this version has no job kind {job.kind!r}")
            continue
        with read(engine) as conn:
            payload = conn.execute(select(Chunk.payload).where(Chunk.id == row.id)).scalar_one()
        spec = ChunkSpec(job.kind, job.params, job.seed, row.stage, row.place, payload)
        yield VerifyOutcome(kind.family, label, _rerun(kind, spec, row.result_digest, row.engine_version))


def _rerun(kind: JobKind[Any], spec: ChunkSpec, digest: str, version: str | None) -> str | None:
    """Run a chunk again; return None if it gives the same digest, else what is wrong."""
    if version != ENGINE_VERSION:
        return f"made by engine version {version}; this is {ENGINE_VERSION}, whose results need not be the same"
    try:
        again = run_to_end(kind, spec).digest()
    except EngineError as error:
        return f"running it again fails: {error}"
    return None if again == digest else f"running it again gives digest {again}, stored is {digest}"
