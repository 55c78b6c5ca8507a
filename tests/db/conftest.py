"""A store with a clock that stands still, on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from storekit import FakeKind, ManualClock

from db.session import make_engine
from db.store import Store


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def kind() -> FakeKind:
    return FakeKind()


@pytest.fixture
def store(database_url: str, clock: ManualClock, kind: FakeKind, tmp_path: Path) -> Iterator[Store]:
    """A store with leases and a dispatch deadline of 30 s."""
    engine = make_engine(database_url)
    yield Store(engine, clock=clock, artifact_dir=tmp_path / "artifacts", kinds=lambda: {kind.name: kind})
    engine.dispose()
