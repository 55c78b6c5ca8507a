"""Run a service process as tests need it: `python -m chaos.serve embedded|worker|keeper`, settings from the environment."""

import sys

from db.settings import Settings
from workers.supervisor import Supervisor, run_keeper, run_worker


def tell(message):
    sys.stderr.write(message + "\n")


def main():
    settings = Settings()
    match sys.argv[1]:
        case "worker":
            return run_worker(settings, warm=[])
        case "keeper":
            return run_keeper(settings)
    with Supervisor(settings, on_event=tell, warm=[]) as supervisor:
        try:
            supervisor.run()
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
