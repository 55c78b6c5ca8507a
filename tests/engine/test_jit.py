"""Compiled kernels on disk: reused while the sources are the same, dropped when any of them changes."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine._jit import kernel

CALLED = """
from engine._jit import folded

@folded
def step(x):
    return x + {by}
"""

CALLER = """
from engine._jit import kernel
from called import step

@kernel
def twice(x):
    return step(step(x))

print(twice(1), sum(twice.stats.cache_hits.values()))
"""


def run(folder: Path) -> list[int]:
    done = subprocess.run([sys.executable, "caller.py"], cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    return [int(word) for word in done.stdout.split()]


def test_a_change_in_a_called_file_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "called.py").write_text(CALLED.format(by=1))
    assert run(tmp_path) == [3, 0]
    assert run(tmp_path) == [3, 1]
    (tmp_path / "called.py").write_text(CALLED.format(by=5))
    assert run(tmp_path) == [11, 0]


@pytest.mark.small
def test_a_kernel_is_callable_either_way() -> None:
    def plus_one(x: int) -> int:
        return x + 1

    assert kernel(plus_one)(2) == 3
