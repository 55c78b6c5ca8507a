"""The worker process: `celery -A workers.celery_main worker`, or `python -m workers.celery_main` as the supervisor runs it.

Settings come from the environment (`PUZZLEMILL_*`) and `.env`, or whole from the supervisor.
"""

import sys
import warnings
from typing import Any

from celery.exceptions import SecurityWarning

from engine import registry
from workers import hooks
from workers.app import make_app, settings_from_environment
from workers.task import register

settings = settings_from_environment()
registry.add_modules(settings.extra_kind_modules)
app = make_app(settings)
hooks.install(register(app, settings), leave_early=settings.embedded_broker)


def main(arguments: list[str]) -> int:
    """Run the Celery worker with the given command line arguments; return its exit code."""
    hooks.die_with_supervisor()
    # Celery warns those who work as root of pickled messages; here only JSON is accepted.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    app.set_default()
    start: Any = app.start  # the stubs say that it never returns; it does, with the exit code
    return start(["-q", "worker", *arguments]) or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
