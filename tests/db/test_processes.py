"""Several processes on one database at full speed: no lock errors, nothing lost, nothing done twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

from storekit import submit

from db.models import ChunkState

ROOT = Path(__file__).parents[2]
SECONDS = 5


def test_four_processes_at_full_speed(store, database_url):
    jobs = [submit(store, 600, priority=priority) for priority in range(2)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    command = [sys.executable, str(Path(__file__).with_name("hammer.py")), database_url]
    running = [
        subprocess.Popen(
            [*command, f"p{i}", str(SECONDS)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for i in range(4)
    ]
    outputs = [process.communicate(timeout=120) for process in running]
    assert [errors for _, errors in outputs] == [""] * 4
    counts = [json.loads(answer) for answer, _ in outputs]
    finished = sum(count.get("finished", 0) for count in counts)
    views = [store.job(job) for job in jobs]
    assert sum(view.chunks_done for view in views) == finished > 0
    assert sum(view.items_done for view in views) == 10 * finished
    assert sum(view.results for view in views) == 10 * finished
    assert sum(view.chunks_running for view in views) == 0
    for job in jobs:
        assert {chunk.attempts for chunk in store.chunks(job) if chunk.state == ChunkState.DONE} <= {1}
