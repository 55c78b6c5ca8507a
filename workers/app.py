"""The Celery application: how chunks' wake-up calls travel. It knows nothing of what a chunk is."""

import json
import os
from typing import Any

from celery import Celery
from kombu import Exchange, Queue

from db.settings import Settings
from workers import spool

SETTINGS_VARIABLE = "PUZZLEMILL_WORKER_SETTINGS"
"""Carries the supervisor's settings to its worker process, whole, so that neither a `.env` file nor the environment differs."""

QUEUE = "puzzlemill"

POLL_SECONDS = 0.05
"""How often a free slot looks into the spool: one listing of a small folder."""


def settings_from_environment() -> Settings:
    """Return the settings a supervisor handed down, else those of the environment and `.env`."""
    handed_down = os.environ.get(SETTINGS_VARIABLE)
    return Settings(**json.loads(handed_down)) if handed_down else Settings()


def make_app(settings: Settings) -> Celery:
    """Return a Celery application for publishing wake-ups; `workers.celery_main` gives it the task to work on them.

    The database owns every fact, so a message may be lost, doubled or late: no results, no retries, no revokes, no countdowns.
    Creates the spool's folders when the broker is the embedded one.
    """
    app = Celery("puzzlemill", set_as_current=False)
    app.conf.update(
        broker_url=settings.effective_broker_url(),
        broker_transport_options=_transport_options(settings),
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # a worker waits for its broker for ever
        broker_pool_limit=2,
        task_queues=[Queue(QUEUE, Exchange(QUEUE, type="direct"), routing_key=QUEUE)],
        task_default_queue=QUEUE,
        task_default_exchange=QUEUE,
        task_default_routing_key=QUEUE,
        task_serializer="json",
        accept_content=["json"],
        result_backend=None,
        task_ignore_result=True,
        task_acks_late=True,
        task_publish_retry=False,
        task_time_limit=settings.time_limit,  # a backstop: the process is killed, the chunk's attempt is spent
        task_send_sent_event=False,
        worker_prefetch_multiplier=1,
        worker_lost_wait=1.0,
        worker_max_tasks_per_child=settings.max_tasks_per_child,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_redirect_stdouts=False,
        worker_disable_rate_limits=True,
        worker_log_format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        worker_task_log_format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    if settings.embedded_broker:
        # Named by its class; the host is a formality without which kombu warns of its absence.
        app.conf.update(broker_transport="workers.spool:Transport", broker_url="filesystem://localhost")
    return app


def _transport_options(settings: Settings) -> dict[str, Any]:
    if settings.embedded_broker:
        return {**spool.prepare(settings.spool_dir), "polling_interval": POLL_SECONDS}
    options: dict[str, Any] = {  # publishing to a broker that is away must raise, not wait: the deadline repeats it
        "max_retries": 0,
        "interval_start": 0,
        "interval_step": 0,
        "interval_max": 0,
    }
    if settings.effective_broker_url().startswith(("redis:", "rediss:")):
        options |= {
            # Unacknowledged messages come back after this; longer than any chunk, or each would be delivered twice.
            "visibility_timeout": int(settings.time_limit) + 600,
            "socket_timeout": 10.0,
            "socket_connect_timeout": 5.0,
            "socket_keepalive": True,
            "health_check_interval": 25,
        }
    return options
