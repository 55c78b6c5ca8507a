"""Fixtures of the rings engine's tests; strategies and states are in `ringkit`."""

import pytest


@pytest.fixture
def own_tables(tmp_path, monkeypatch):
    """A tables folder of the test's own."""
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"
