"""The job store: submit, dispatch, lease, reconcile, control, look. `Store` is the door; the modules behind it are private."""

from db.store.events import EventView
from db.store.facade import Store
from db.store.lease import Claim, Verdict
from db.store.reconcile import Reconciled
from db.store.submit import Submitted
from db.store.views import ChunkView, JobView
from db.store.workers import WorkerView

__all__ = [
    "ChunkView",
    "Claim",
    "EventView",
    "JobView",
    "Reconciled",
    "Store",
    "Submitted",
    "Verdict",
    "WorkerView",
]
