import multiprocessing
from pathlib import Path

import pytest
from kombu import Connection, Exchange, Queue

from workers import spool

QUEUE = Queue("q", Exchange("q", type="direct"), routing_key="q")


def connect(folder):
    options = {**spool.prepare(folder), "polling_interval": 0.01}
    return Connection("filesystem://", transport="workers.spool:Transport", transport_options=options)


def put(folder, *bodies):
    with connect(folder) as connection, connection.Producer(serializer="json") as producer:
        for body in bodies:
            producer.publish(body, exchange="", routing_key="q", declare=[QUEUE])


def take(folder, count):
    """Return `count` message bodies, fewer if none comes for a fifth of a second."""
    taken = []

    def got(body, message):
        taken.append(body)
        message.ack()

    with connect(folder) as connection, connection.Consumer([QUEUE], callbacks=[got], accept=["json"]):
        try:
            while len(taken) < count:
                connection.drain_events(timeout=0.2)
        except TimeoutError:
            pass
    return taken


def messages(folder):
    return sorted((folder / spool.MESSAGES).iterdir())


def test_messages_come_out_as_they_went_in_oldest_first(tmp_path):
    put(tmp_path, *[{"chunk": number} for number in range(5)])
    assert len(messages(tmp_path)) == 5
    assert take(tmp_path, 5) == [{"chunk": number} for number in range(5)]
    assert messages(tmp_path) == list((tmp_path / spool.TAKEN).iterdir()) == []


def test_the_event_loop_gets_all_that_waits(tmp_path):
    class Loop:
        def call_repeatedly(self, seconds, callback):
            self.seconds, self.callback = seconds, callback

        def call_later(self, _seconds, _callback):
            """Nobody is waiting: the look that is under way gets all."""

    put(tmp_path, 1, 2, 3)
    taken, loop = [], Loop()
    with connect(tmp_path) as connection, connection.Consumer([QUEUE], accept=["json"]) as consumer:
        consumer.register_callback(lambda body, message: (taken.append(body), message.ack()))
        connection.register_with_event_loop(loop)
        assert loop.seconds == 0.01
        loop.callback()
        loop.callback()  # nothing there: no matter
    assert taken == [1, 2, 3]


def test_a_slot_that_becomes_free_need_not_wait_for_the_next_look(tmp_path):
    class Loop:
        def call_repeatedly(self, _seconds, callback):
            self.now = callback

        def call_later(self, seconds, callback):
            assert seconds == 0
            self.now = callback

    put(tmp_path, 1, 2)
    taken, loop = [], Loop()
    with connect(tmp_path) as connection, connection.Consumer([QUEUE], accept=["json"], prefetch_count=1) as consumer:
        consumer.register_callback(lambda body, message: taken.append((body, message)))
        connection.register_with_event_loop(loop)
        look, loop.now = loop.now, None
        look()
        assert [body for body, _ in taken] == [1]
        assert loop.now is None
        taken[0][1].ack()
        loop.now()
        assert [body for body, _ in taken] == [1, 2]
        taken[1][1].ack()


def test_an_unreadable_message_is_dropped_and_the_next_one_delivered(tmp_path, caplog):
    put(tmp_path, 1, 2)
    messages(tmp_path)[0].write_text("")  # what the stock transport shows a reader that comes too early
    assert take(tmp_path, 1) == [2]
    assert "unreadable" in caplog.text


def test_a_draft_is_not_a_message(tmp_path):
    put(tmp_path, 1)
    (whole,) = messages(tmp_path)
    whole.rename(whole.with_name("." + whole.name))
    assert take(tmp_path, 1) == []


def test_emptying_drops_all_and_leaves_a_working_spool(tmp_path):
    put(tmp_path, 1, 2)
    spool.empty(tmp_path)
    assert take(tmp_path, 1) == []
    put(tmp_path, 3)
    assert take(tmp_path, 1) == [3]


@pytest.mark.parametrize("gone", [spool.MESSAGES, spool.TAKEN])
def test_a_deleted_folder_costs_messages_but_no_one_stops(tmp_path, gone):
    with connect(tmp_path) as connection, connection.Producer(serializer="json") as producer:
        producer.publish(1, exchange="", routing_key="q", declare=[QUEUE])
        for file in (tmp_path / gone).iterdir():
            file.unlink()
        (tmp_path / gone).rmdir()
        for body in range(3):
            producer.publish(body, exchange="", routing_key="q")
        with connection.channel() as channel:
            channel.queue_purge("q")
        producer.publish("after", exchange="", routing_key="q")
    assert take(tmp_path, 1) == ["after"]


def _write(folder, first, count):
    put(Path(folder), *range(first, first + count))


def test_readers_and_writers_at_once_lose_and_double_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    spool.prepare(tmp_path)
    writers = [context.Process(target=_write, args=(str(tmp_path), 1000 * n, 200)) for n in range(2)]
    for writer in writers:
        writer.start()
    taken = take_all(tmp_path, 400)
    for writer in writers:
        writer.join(30)
    assert sorted(taken) == [1000 * n + number for n in range(2) for number in range(200)]


def take_all(folder, count):
    taken = []
    for _ in range(400):
        taken += take(folder, count - len(taken))
        if len(taken) == count:
            break
    return taken
