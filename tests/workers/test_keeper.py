import pytest
import servers
from chaos.place import Place, wait_for
from kombu.exceptions import OperationalError

from db import session
from db.errors import DatabaseUnreachableError
from workers.app import make_app
from workers.dispatch import Dispatcher
from workers.keeper import ALIVE_SECONDS, READY, Keeper, cluster_slots


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


class Broker:
    """Stands for a Celery application: notes what is published, or is away."""

    def __init__(self):
        self.sent = []
        self.away = False
        self.amqp = self.connection = self

    def Producer(self, _connection):  # noqa: N802  # Celery's name
        return self

    def release(self):
        pass

    def send_task(self, _name, arguments, **_options):
        if self.away:
            raise OperationalError("refused")
        self.sent.append(arguments[0])

    def connection_for_write(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        pass

    def ensure_connection(self, **_options):
        if self.away:
            raise OperationalError("refused")


def ids(place, job_id):
    return [chunk.id for chunk in place.store.chunks(job_id)]


def test_only_a_window_of_chunks_is_on_its_way(place):
    broker = Broker()
    job_id = place.submit(chunks=10)
    dispatcher = Dispatcher(place.store, broker, lambda: 4)
    dispatcher.step()
    dispatcher.step()
    assert broker.sent == ids(place, job_id)[:4]
    place.store.claim(broker.sent[0], "w")
    dispatcher.step()
    assert len(broker.sent) == 4  # running counts as well


def test_the_more_urgent_job_goes_first(place):
    broker = Broker()
    place.submit(chunks=3)
    urgent = place.submit(chunks=2, priority=5, seed=2)
    Dispatcher(place.store, broker, lambda: 2).step()
    assert broker.sent == ids(place, urgent)


def test_without_slots_nothing_is_published(place):
    broker = Broker()
    place.submit(chunks=3)
    Dispatcher(place.store, broker, lambda: 0).step()
    assert broker.sent == []


def test_what_a_broker_that_is_away_did_not_take_is_published_after_the_deadline(place):
    broker = Broker()
    job_id = place.submit(chunks=3)
    dispatcher = Dispatcher(place.store, broker, lambda: 3)
    broker.away = True
    dispatcher.step()
    dispatcher.step()
    broker.away = False

    def all_sent():
        dispatcher.step()
        return set(broker.sent) == set(ids(place, job_id))

    wait_for(all_sent, place.settings.dispatch_deadline + 5, "all chunks published")


def test_a_broker_that_stays_away_costs_no_more_marks(place):
    broker = Broker()
    place.submit(chunks=6)
    dispatcher = Dispatcher(place.store, broker, lambda: 2)
    broker.away = True
    for _ in range(3):
        dispatcher.step()
    marked = [chunk for chunk in place.store.chunks(1) if chunk.dispatched_at is not None]
    assert len(marked) == 2


def test_enqueued_if_and_only_if_committed(place, monkeypatch):
    broker = Broker()
    keeper = Dispatcher(place.store, broker, lambda: 10)

    def refuse(*_args, **_kwargs):
        raise DatabaseUnreachableError("cut off before the commit")

    with monkeypatch.context() as patch:
        patch.setattr("db.store.submit.log", refuse)
        with pytest.raises(DatabaseUnreachableError):
            place.submit(chunks=2)
    keeper.step()
    assert (broker.sent, place.store.jobs()) == ([], [])
    job_id = place.submit(chunks=2)  # committed, and then the submitter dies: nothing else is asked of it
    keeper.step()
    assert broker.sent == ids(place, job_id)


def test_a_database_that_is_away_is_waited_for(place, monkeypatch, caplog):
    broker = Broker()
    keeper = Keeper(place.settings, place.store, broker, lambda: 1)
    place.submit(chunks=1)

    def away():
        raise DatabaseUnreachableError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(place.store, "outstanding", away)
        wait_for(lambda: keeper.tick() or keeper.waiting, 5, "the keeper to notice")
    wait_for(lambda: keeper.tick() or broker.sent, 5, "the keeper to go on")
    assert not keeper.waiting
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "the keeper waits for the database: gone"
    ]


def test_slots_are_those_of_workers_seen_ready_lately(place):
    place.store.worker_seen("a", "host", 1, 3, READY)
    place.store.worker_seen("b", "host", 2, 4, "starting")
    assert cluster_slots(place.store) == 3
    assert ALIVE_SECONDS > 2 * 2.0


@pytest.mark.redis
def test_the_same_connection_serves_again_when_redis_is_back(tmp_path):
    with servers.RedisServer() as redis:
        place = Place(tmp_path, redis=redis)
        app = make_app(place.settings)
        place.submit(chunks=50)
        dispatcher = Dispatcher(place.store, app, lambda: place.store.outstanding() + 1)
        dispatcher.step()
        redis.kill()
        dispatcher.step()
        dispatcher.step()
        redis.start()
        dispatcher.step()
        assert place.waiting_messages() == 1
        app.close()
        place.close()


def test_the_keeper_folds_a_long_log_into_the_file(place, monkeypatch):
    monkeypatch.setattr(session, "LOG_BYTES", 100_000)
    keeper = Keeper(place.settings, place.store, Broker(), lambda: 0)
    place.submit(chunks=2000)
    file = place.settings.data_dir / "puzzlemill.db"
    before = file.stat().st_size
    monkeypatch.setattr(session, "LOG_BYTES", 2**30)
    place.store.fold_log()
    assert file.stat().st_size == before
    monkeypatch.setattr(session, "LOG_BYTES", 100_000)
    keeper.tick()
    assert file.stat().st_size > before + 100_000
