"""The job store as plain Python: slow, obvious, in memory. What the real one must agree with after every step."""

from dataclasses import dataclass, field


@dataclass
class Chunk:
    stage: int
    index: int
    state: str = "queued"
    attempts: int = 0
    not_before: float = 0.0
    dispatched: float | None = None
    token: object = None
    lease_until: float | None = None
    worker: str | None = None


@dataclass
class Job:
    stages: int
    max_attempts: int
    priority: int
    chunks: list[Chunk] = field(default_factory=list)
    state: str = "queued"
    stage: int = 0
    paused: bool = False
    cancel: bool = False

    @property
    def open(self) -> bool:
        return self.state in ("queued", "running")

    def count(self, *states: str) -> int:
        return sum(chunk.state in states for chunk in self.chunks)


class RefusedError(Exception):
    """The job's state does not allow it."""


class Store:
    """Jobs by number; a claim is (job, chunk, token)."""

    def __init__(self, lease: float, deadline: float, later_chunks: int) -> None:
        self.lease, self.deadline, self.later_chunks = lease, deadline, later_chunks
        self.now = 0.0
        self.jobs: dict[int, Job] = {}

    def submit(self, number: int, chunks: int, stages: int, max_attempts: int, priority: int) -> None:
        job = Job(stages, max_attempts, priority)
        job.chunks = [Chunk(0, index) for index in range(chunks)]
        self.jobs[number] = job

    def take_due(self, limit: int) -> list[tuple[int, int, int]]:
        due = []
        for number, job in self.jobs.items():
            for chunk in job.chunks:
                stale = chunk.dispatched is None or chunk.dispatched + self.deadline <= self.now
                ready = chunk.state == "queued" and chunk.not_before <= self.now and stale
                if ready and job.open and not job.paused and not job.cancel:
                    due.append((-job.priority, number, chunk.stage, chunk.index, chunk))
        due.sort(key=lambda entry: entry[:4])
        for entry in due[:limit]:
            entry[4].dispatched = self.now
        return [entry[1:4] for entry in due[:limit]]

    def outstanding(self) -> int:
        chunks = [chunk for job in self.jobs.values() for chunk in job.chunks]
        sent = [c for c in chunks if c.state == "queued" and c.dispatched is not None]
        running = [c for c in chunks if c.state == "running"]
        return len(running) + sum(c.dispatched + self.deadline > self.now for c in sent)

    def claim(self, number: int, chunk: Chunk, worker: str, token: object) -> bool:
        job = self.jobs[number]
        if not job.open or job.paused or job.cancel or chunk.state != "queued" or chunk.not_before > self.now:
            return False
        job.state = chunk.state = "running"
        chunk.attempts += 1
        chunk.token, chunk.worker, chunk.lease_until = token, worker, self.now + self.lease
        return True

    def heartbeat(self, number: int, chunk: Chunk, token: object) -> str:
        job = self.jobs[number]
        if chunk.state != "running" or chunk.token is not token:
            return "LOST"
        if job.cancel:
            return "CANCELLED"
        if job.paused:
            return "PAUSED"
        chunk.lease_until = self.now + self.lease
        return "GO_ON"

    def finish(self, number: int, chunk: Chunk, token: object) -> bool:
        if chunk.token is not token or chunk.state not in ("running", "done"):
            return False
        chunk.state, chunk.lease_until = "done", None
        return True

    def fail(self, number: int, chunk: Chunk, token: object) -> str | None:
        if chunk.state != "running" or chunk.token is not token:
            return None
        self._stop(self.jobs[number], chunk, backoff=min(60.0, 2.0 ** (chunk.attempts - 1)))
        return chunk.state

    def release(self, number: int, chunk: Chunk, token: object) -> bool:
        if chunk.state != "running" or chunk.token is not token:
            return False
        chunk.attempts -= 1
        self._stop(self.jobs[number], chunk, counts=False)
        return True

    def release_worker(self, prefix: str) -> int:
        return self._stop_all(lambda chunk: chunk.worker.startswith(prefix))

    def _stop_all(self, which) -> int:
        stopped = 0
        for job in self.jobs.values():
            for chunk in job.chunks:
                if chunk.state == "running" and which(chunk):
                    self._stop(job, chunk)
                    stopped += 1
        return stopped

    def _stop(self, job: Job, chunk: Chunk, backoff: float = 0.0, *, counts: bool = True) -> None:
        if job.cancel:
            chunk.state = "cancelled"
        elif counts and chunk.attempts >= job.max_attempts:
            chunk.state = "quarantined"
        else:
            chunk.state = "queued"
        if backoff and not job.cancel:
            chunk.not_before = self.now + backoff
        chunk.token = chunk.lease_until = chunk.dispatched = None

    def reconcile(self) -> None:
        self._stop_all(lambda chunk: chunk.lease_until <= self.now)
        for job in self.jobs.values():
            if not job.open or job.count("queued", "running"):
                continue
            if job.cancel:
                self._close(job, "cancelled")
            elif job.count("quarantined"):
                self._close(job, "partial")
            elif job.stage + 1 < job.stages:
                job.stage += 1
                job.state = "running"
                job.chunks += [Chunk(job.stage, index) for index in range(self.later_chunks)]
            else:
                self._close(job, "done")

    def _close(self, job: Job, state: str) -> None:
        job.state, job.paused = state, False

    def pause(self, number: int) -> None:
        job = self._open(number)
        job.paused = True
        for chunk in job.chunks:
            if chunk.state == "queued":
                chunk.dispatched = None

    def resume(self, number: int) -> None:
        self._open(number).paused = False

    def cancel(self, number: int) -> None:
        if self.jobs[number].cancel:
            return
        job = self._open(number)
        job.cancel = True
        for chunk in job.chunks:
            if chunk.state == "queued":
                chunk.state, chunk.dispatched = "cancelled", None
        if not job.count("running"):
            self._close(job, "cancelled")

    def retry(self, number: int) -> None:
        job = self.jobs[number]
        if job.state not in ("running", "partial") or job.cancel or not job.count("quarantined"):
            raise RefusedError
        for chunk in job.chunks:
            if chunk.state == "quarantined":
                chunk.state, chunk.attempts, chunk.not_before = "queued", 0, 0.0
        job.state = "running"

    def _open(self, number: int) -> Job:
        job = self.jobs[number]
        if not job.open:
            raise RefusedError
        return job
