"""What an undisturbed run gives: every chunk computed once, in this process, in order."""

import tempfile
from contextlib import closing
from functools import cache

from chaos.place import Place

from workers.task import ChunkRunner, Outcome


@cache
def digest_of(kind, *, seed, **params):
    """Return the digest of the job when nothing disturbs it."""
    with tempfile.TemporaryDirectory() as folder, closing(Place(folder)) as place:
        unhurried = {"seconds": 0.0} if kind.startswith("fake.") else {}
        job_id = place.submit(kind, seed=seed, **params, **unhurried)
        runner = ChunkRunner(place.store, "reference", lease_seconds=60.0)
        while due := place.store.take_due(100):
            for chunk_id in due:
                assert runner.run(chunk_id) is Outcome.DONE
            place.store.reconcile()
        view = place.job(job_id)
        assert str(view.state) == "done"
        return view.digest
