"""The workers' exceptions: one root, with stable codes as in the other layers."""

from typing import ClassVar


class WorkerError(Exception):
    """Anything that keeps workers from working."""

    code: ClassVar[str] = "worker-error"


class WorkerStartError(WorkerError):
    """The worker process ends again and again before it is ready. The message says where its log is."""

    code: ClassVar[str] = "worker-start"
