import pytest
import servers
from chaos.place import Place


@pytest.fixture(params=["embedded", pytest.param("cluster", marks=[pytest.mark.postgres, pytest.mark.redis])])
def make_place(request, tmp_path):
    """A maker of places: SQLite and the file spool, or PostgreSQL and Redis. What it made is killed at the end."""
    made = []
    if request.param == "cluster":
        kinds = {"database_url": request.getfixturevalue("postgres_url"), "redis": servers.RedisServer().start()}
    else:
        kinds = {}

    def make(**changes):
        made.append(Place(tmp_path, **kinds, **changes))
        return made[-1]

    yield make
    for place in made:
        place.close()
    if kinds:
        kinds["redis"].stop()
