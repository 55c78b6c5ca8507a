"""One of several processes that dispatch, claim, heartbeat and finish as fast as they can: `hammer.py URL NAME SECONDS`.

Prints what it has done as JSON; an error ends it with a traceback.
"""

import json
import sys
import time
from collections import Counter

from storekit import FakeKind, puzzle

from db.session import make_engine
from db.store import Store, Verdict
from engine.jobs import ChunkResult, Slice


def main(url: str, name: str, seconds: float) -> None:
    kind = FakeKind()
    store = Store(make_engine(url), kinds=lambda: {kind.name: kind})
    counts: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for chunk in store.take_due(3):
            claim = store.claim(chunk, name)
            if claim is None:
                counts["refused"] += 1
                continue
            assert store.heartbeat(claim, Slice(1, 2)) is Verdict.GO_ON
            # Half of the puzzles are those of other processes too.
            records = [puzzle(f"{chunk % 7}:{i}") for i in range(5)] + [puzzle(f"{chunk}:{i}") for i in range(5)]
            assert store.finish(claim, ChunkResult(records, {"part": claim.spec.index}))
            counts["finished"] += 1
            store.job(claim.job_id)
        store.reconcile()
        store.outstanding()
    store.engine.dispose()
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
