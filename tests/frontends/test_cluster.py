"""The command line on PostgreSQL and Redis: nothing is made without being asked, and a job runs through real servers."""

import pytest

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.usefixtures("cli_kinds")]


def test_a_database_without_tables_says_what_to_do(invoke, bare_postgres_url):
    place = ["--database-url", bare_postgres_url]
    for command in (["job", "list"], ["job", "submit", "cli.add", "1"], ["bank", "query", "sudoku"], ["bank", "verify"]):
        ran = invoke(*command, *place)
        assert ran.code == 5
        assert "puzzlemill db upgrade" in ran.err
    assert invoke("db", "check", *place).code == 5
    assert invoke("doctor", *place).code == 5
    assert invoke("db", "upgrade", *place).code == 0
    assert invoke("job", "list", *place).code == 0
    assert invoke("doctor", *place).code == 0


@pytest.mark.parametrize("command", ["worker", "keeper"])
def test_cluster_processes_refuse_a_database_without_tables(puzzlemill, bare_postgres_url, redis_url, command):
    ran = puzzlemill(command, "--database-url", bare_postgres_url, "--broker-url", redis_url)
    assert ran.code == 5
    assert "puzzlemill db upgrade" in ran.err


def test_run_on_a_cluster(puzzlemill, invoke, postgres_url, redis_url):
    place = ["--database-url", postgres_url, "--broker-url", redis_url]
    ran = puzzlemill("job", "run", "cli.add", "-", "--plus=1", "--json", *place, stdin=b"1\n2\n3\n")
    assert ran.code == 0
    assert ran.json["summary"] == {"total": 9}
    shown = invoke("job", "show", ran.json["job"], "--json", *place)
    assert shown.json["digest"] == ran.json["digest"]
    checks = {check["name"]: check for check in invoke("doctor", "--json", *place).json["checks"]}
    assert "postgresql" in checks["database"]["detail"]
    assert checks["broker"]["state"] == "ok"
    assert checks["workers"]["state"] == "warning"
