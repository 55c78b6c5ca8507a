import json

import pytest
import servers
from chaos.place import Place
from chaos.storm import DURABLE, Storm


@pytest.mark.slow
def test_the_embedded_service_comes_through_a_storm(tmp_path):
    place = Place(tmp_path)
    try:
        card = Storm(place, seconds=25, seed=6).run()
        assert card.passed, json.dumps(card.as_json(), indent=2) + place.told()
    finally:
        place.close()


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
def test_the_cluster_comes_through_a_storm(tmp_path):
    with servers.PostgresServer() as database, servers.RedisServer() as redis:
        place = Place(tmp_path, database_url=database.url() + DURABLE, redis=redis, slots=1)
        try:
            card = Storm(place, seconds=40, seed=6, database=database).run()
            assert card.passed, json.dumps(card.as_json(), indent=2) + place.told()
        finally:
            place.close()
