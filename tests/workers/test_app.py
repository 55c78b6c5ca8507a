import json
import os
import time

import pytest

from db.settings import Settings
from workers.app import QUEUE, SETTINGS_VARIABLE, make_app, settings_from_environment
from workers.dispatch import BROKER_ERRORS
from workers.task import TASK_NAME


def embedded(tmp_path, **changes):
    return Settings(_env_file=None, data_dir=tmp_path, **changes)


def test_the_settings_that_reliability_rests_on(tmp_path):
    conf = make_app(embedded(tmp_path, time_limit=120.0, max_tasks_per_child=7)).conf
    assert conf.task_acks_late
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result
    assert conf.result_backend is None
    assert conf.worker_lost_wait == 1.0
    assert conf.worker_max_tasks_per_child == 7
    assert (conf.task_time_limit, conf.task_soft_time_limit) == (120.0, None)
    assert not conf.worker_enable_remote_control
    assert not conf.worker_send_task_events
    assert not conf.task_publish_retry
    assert not conf.worker_redirect_stdouts
    assert not conf.task_reject_on_worker_lost


def test_json_only(tmp_path):
    conf = make_app(embedded(tmp_path)).conf
    assert conf.accept_content == ["json"]
    assert conf.task_serializer == "json"


def test_redis_hides_a_message_for_longer_than_any_chunk_lasts(tmp_path):
    options = make_app(embedded(tmp_path, broker_url="redis://nowhere/0", time_limit=500.0)).conf.broker_transport_options
    assert options["visibility_timeout"] > 500
    assert options["socket_timeout"] > 0
    assert options["socket_connect_timeout"] > 0


def test_a_message_is_a_chunk_number_and_no_more(tmp_path):
    app = make_app(embedded(tmp_path))
    app.send_task(TASK_NAME, (17,), retry=False)
    (message,) = (tmp_path / "spool" / "messages").iterdir()
    envelope = json.loads(message.read_text())
    assert envelope["content-type"] == "application/json"
    assert message.name.endswith(f".{QUEUE}.msg")
    app.close()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://guest:guest@127.0.0.1:1//"])
def test_publishing_to_a_broker_that_is_away_raises_soon(tmp_path, url):
    app = make_app(embedded(tmp_path, broker_url=url))
    start = time.monotonic()
    with pytest.raises(BROKER_ERRORS):
        app.send_task(TASK_NAME, (1,), retry=False)
    assert time.monotonic() - start < 10
    app.close()


def test_settings_go_down_to_the_worker_whole(tmp_path, monkeypatch):
    given = embedded(tmp_path, slots=3, database_url=None)
    for name in [name for name in os.environ if name.startswith("PUZZLEMILL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PUZZLEMILL_DATABASE_URL", "sqlite:///elsewhere.db")
    monkeypatch.setenv(SETTINGS_VARIABLE, given.model_dump_json())
    assert settings_from_environment() == given
    monkeypatch.delenv(SETTINGS_VARIABLE)
    assert settings_from_environment().database_url == "sqlite:///elsewhere.db"
