"""A long storm as a command, from the project's root: `PYTHONPATH=tests .venv/bin/python -m chaos.long --seconds 600`.

Prints the scorecard as JSON; exits with 1 if a verdict failed.
"""

import argparse
import contextlib
import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import servers
from chaos.place import Place
from chaos.storm import DURABLE, Storm


def main(arguments):
    parser = argparse.ArgumentParser(prog="chaos.long", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", choices=["embedded", "cluster"], default="cluster")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--logs", type=Path, help="file for the logs of all processes")
    given = parser.parse_args(arguments)
    with contextlib.ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="puzzlemill-storm-", ignore_cleanup_errors=True))
        servers_of = {}
        database = None
        if given.place == "cluster":
            database = opened.enter_context(servers.PostgresServer())
            servers_of = {"database_url": database.url() + DURABLE, "redis": opened.enter_context(servers.RedisServer())}
        place = opened.enter_context(closing(Place(folder, slots=given.slots, **servers_of)))
        storm = Storm(place, seconds=given.seconds, seed=given.seed, workers=given.workers, database=database)
        card = storm.run()
        if given.logs:
            given.logs.write_text(place.told(size=10_000_000), encoding="utf-8")
    print(json.dumps(card.as_json(), indent=2))  # noqa: T201  # the command's output
    return 0 if card.passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
