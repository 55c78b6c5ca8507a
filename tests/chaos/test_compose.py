"""`docker-compose.yml` without Docker: its structure, and its very commands as processes against real servers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import servers
import yaml
from chaos.place import ROOT, wait_for

from db import schema
from db.session import make_engine
from db.store import Store

OURS = ["migrate", "worker", "keeper"]


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_services_are_those_of_the_design(compose):
    assert set(compose["services"]) == {"postgres", "redis", *OURS}
    for name in OURS:
        service = compose["services"][name]
        assert service["build"] == "."
        assert service["environment"]["PUZZLEMILL_DATABASE_URL"].startswith("postgresql://")
        assert service["environment"]["PUZZLEMILL_BROKER_URL"] == "redis://redis:6379/0"


def test_what_works_waits_for_the_migration_and_the_migration_for_the_database(compose):
    services = compose["services"]
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert services["migrate"]["restart"] == "no"
    for name in ("worker", "keeper"):
        wanted = {"migrate": {"condition": "service_completed_successfully"}, "redis": {"condition": "service_healthy"}}
        assert services[name]["depends_on"] == wanted


def test_every_lasting_service_has_a_health_check_and_comes_back(compose):
    for name in ("postgres", "redis", "worker", "keeper"):
        assert compose["services"][name]["healthcheck"]["test"][0] == "CMD"
        assert compose["services"][name]["restart"] == "unless-stopped"
    assert compose["services"]["worker"]["deploy"]["replicas"] >= 2


def test_redis_writes_its_log_and_never_evicts(compose):
    assert compose["services"]["redis"]["command"] == [
        *["redis-server", "--appendonly", "yes", "--maxmemory-policy", "noeviction"]
    ]


def test_named_volumes_are_declared_and_no_port_is_open_to_the_world(compose):
    for service in compose["services"].values():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in compose["volumes"]
        assert "ports" not in service


def test_no_password_is_written_down(compose):
    urls = [compose["services"][name]["environment"]["PUZZLEMILL_DATABASE_URL"] for name in OURS]
    assert all("${POSTGRES_PASSWORD:?" in url for url in urls)


def test_the_image_is_built_in_two_stages_and_runs_as_nobody_special():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert sum(line.startswith("FROM ") for line in lines) == 2
    user = next(number for number, line in enumerate(lines) if line == "USER puzzlemill")
    warm = next(number for number, line in enumerate(lines) if "engine.warm" in line)
    assert user < warm  # so that the kernels are compiled into a cache that this user can read and write
    assert 'ENTRYPOINT ["puzzlemill"]' in lines
    assert any(line.startswith("HEALTHCHECK") for line in lines)


def test_what_the_image_copies_is_sent_to_the_builder():
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [line.split()[1:-1] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("COPY ")]
    names = {name for each in copied for name in each if not name.startswith(("--", "/"))}
    assert names <= sent
    assert all((ROOT / name).exists() for name in names)


def healthy(compose, service, environment):
    """Run the service's health check, with the image's `find-alive` script as the Dockerfile writes it."""
    script = next(line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("RUN printf"))
    body = script.split("'")[1].replace("\\n", "\n")
    folder = Path(environment["PUZZLEMILL_DATA_DIR"])
    (folder / "find-alive").write_text(body)
    (folder / "find-alive").chmod(0o755)
    _cmd, name, *arguments = compose["services"][service]["healthcheck"]["test"]
    return subprocess.run([folder / name, *arguments], env=environment, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
def test_its_commands_run_a_job(compose, tmp_path, bare_postgres_url):
    program = shutil.which("puzzlemill", path=str(Path(sys.executable).parent))
    assert program is not None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PUZZLEMILL_")}
    environment |= {
        **{name: value for name, value in compose["services"]["worker"]["environment"].items() if "URL" not in name},
        "PUZZLEMILL_DATABASE_URL": bare_postgres_url,
        "PUZZLEMILL_DATA_DIR": str(tmp_path),
        "PUZZLEMILL_SLOTS": "1",
        "PUZZLEMILL_SWEEP_SECONDS": "0.3",
    }

    def start(service):
        with (tmp_path / f"{service}.txt").open("ab") as out:
            return subprocess.Popen(
                [program, *compose["services"][service]["command"]],
                env=environment,
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    started = []
    with servers.RedisServer() as redis:
        environment["PUZZLEMILL_BROKER_URL"] = redis.url
        try:
            assert start("migrate").wait(60) == 0
            assert schema.current(bare_postgres_url) == schema.head()
            assert not healthy(compose, "keeper", environment)
            started = [start("keeper"), start("worker")]
            submit = [program, "job", "submit", "sudoku.generate", "--count", "20", "--seed", "7", "--json"]
            made = subprocess.run(
                submit, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
            )
            assert made.returncode == 0, made.stderr
            engine = make_engine(bare_postgres_url)
            store = Store(engine, lease_seconds=30, dispatch_deadline=30, artifact_dir=tmp_path)
            wait_for(lambda: [job for job in store.jobs() if str(job.state) == "done"], 240, "the job's end")
            assert store.jobs()[0].results == 20
            wait_for(lambda: healthy(compose, "keeper", environment), 10, "a healthy keeper")
            wait_for(lambda: healthy(compose, "worker", environment), 10, "a healthy worker")
            for process in started:
                process.terminate()
            assert [process.wait(30) for process in started] == [0, 0]
            assert store.workers() == []
            engine.dispose()
        except AssertionError as error:
            logs = "\n".join(f"--- {log.name}\n{log.read_text()[-3000:]}" for log in tmp_path.glob("*.txt"))
            raise AssertionError(f"{error}\n{logs}") from error
        finally:
            for process in started:
                process.kill()
                process.wait()
