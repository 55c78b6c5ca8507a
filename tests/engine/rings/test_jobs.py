"""The job kinds, run chunk by chunk without a queue, and the checks of what they stored."""

import json
import logging
from dataclasses import replace

import pytest
from pydantic import ValidationError
from ringkit import FIVE, near_states, random_states, run_job, verify

from engine import registry
from engine.errors import InvalidInputError
from engine.jobs import JobOutcome, StageOutcome
from engine.rings import verify as verification
from engine.rings.lines import parse_state_line
from engine.rings.model import State
from engine.rings.prove_job import ProveParams
from engine.rings.records import PositionRecord, SolutionRecord
from engine.rings.scramble import LEVELS

STATE = "40000040111120122221133332323344444"


def test_the_kinds_are_registered():
    assert {name for name in registry.kinds() if name.startswith("rings.")} == {"rings.scramble", "rings.solve", "rings.prove"}


@pytest.mark.parametrize(
    "given",
    [
        {"count": 30},
        {"count": 6, "level": "low"},
        {"count": 5, "mode": "uniform"},
        {"count": 5, "mode": "distance", "distance": 9},
        {"count": 5, "level": "true-low"},
        {"count": 3, "level": "extreme"},
    ],
    ids=str,
)
def test_scramble(given):
    records, summary, digests = run_job("rings.scramble", seed=5, **given)
    assert len(records) == summary["positions"] == given["count"]
    assert verify(*records) == [None] * given["count"]
    assert run_job("rings.scramble", seed=5, **given)[2] == digests
    assert run_job("rings.scramble", seed=6, **given)[2] != digests
    if "distance" in given:
        assert {record.lower_bound for record in records} == {9}
    level = given.get("level")
    assert {record.origin.get("level") for record in records} == {level}
    if level == "low":
        assert {len(record.origin["moves"].split()) for record in records} == {20}
    elif level == "true-low":
        assert all(1 <= record.lower_bound == record.origin["distance"] <= 10 for record in records)
    elif level == "extreme":
        assert {record.origin["scramble"] for record in records} == {summary["mode"]} == {"uniform"}


def test_levels_have_their_price():
    kind = registry.kind("rings.scramble")
    cost = {name: kind.estimate(kind.params_model(count=10, level=name), []).core_seconds for name in LEVELS}
    assert cost["low"] == cost["high"] < cost["extreme"] < cost["true-low"] < cost["true-middle"] < cost["true-high"]


def test_a_large_scramble_is_split():
    kind = registry.kind("rings.scramble")
    plan = kind.plan(kind.params_model(count=100_000), [])
    assert len(plan.chunks) >= 4
    assert sum(chunk.items for chunk in plan.chunks) == 100_000
    assert sum(chunk.payload["count"] for chunk in plan.chunks) == 100_000


@pytest.mark.parametrize(
    "given",
    [
        {"clicks": 5, "level": "low"},
        {"mode": "uniform", "clicks": 5},
        {"mode": "clicks", "distance": 5},
        {"mode": "distance", "distance": 25},
        {"mode": "distance", "level": "low"},
        {"level": "extreme", "clicks": 5},
        {"level": "nightmare"},
        {"count": 0},
        {"wrong": 1},
    ],
    ids=str,
)
def test_scramble_parameters_that_contradict_are_refused(given):
    with pytest.raises(ValidationError):
        registry.kind("rings.scramble").params_model(**given)


@pytest.mark.parametrize("method", ["best", "beam", "ida", "thesis"])
def test_solve(method):
    states = [*near_states(3, 8), FIVE.solved.text]
    records, summary, digests = run_job("rings.solve", states, method=method, width=300)
    assert [record.state for record in records] == states
    assert summary["states"] == summary["solved"] == 4
    assert verify(*records) == [None] * 4
    assert all(record.seconds is not None for record in records)
    assert run_job("rings.solve", states, method=method, width=300)[2] == digests
    if method in ("best", "ida"):
        assert [record.clicks for record in records] == [8, 8, 8, 0]
        assert summary["optimal"] == 4


def test_solve_of_random_states_is_split_over_the_cores():
    kind = registry.kind("rings.solve")
    states = [state.text for state in random_states(200)]
    plan = kind.plan(kind.params_model(), states)
    assert len(plan.chunks) >= 4
    assert [text for chunk in plan.chunks for text in chunk.payload["states"]] == states
    assert len(kind.plan(kind.params_model(method="thesis"), states).chunks) == 1
    assert list(kind.plan(kind.params_model(), []).chunks) == []


def test_solve_without_a_result():
    state = random_states(1, seed=4)[0]
    records, summary, _ = run_job("rings.solve", [state.text], method="ida", max_nodes=10_000)
    assert records[0].moves is None
    assert (summary["solved"], summary["mean_clicks"]) == (0, None)
    assert verify(*records) == [None]


def test_prove_alone_and_in_stages_agree():
    states = [*near_states(3, 12, seed=3), FIVE.solved.text, *near_states(1, 2)]
    alone, summary, _ = run_job("rings.prove", states)
    staged, again, digests = run_job("rings.prove", states, alone_nodes=0, chunk_nodes=1000)
    assert [record.clicks for record in alone] == [12, 12, 12, 0, 2]
    assert {(r.state, r.moves, r.clicks, r.optimal) for r in alone} == {(r.state, r.moves, r.clicks, r.optimal) for r in staged}
    assert summary["optimal"] == again["optimal"] == 5
    assert verify(*alone, *staged) == [None] * 10
    assert run_job("rings.prove", states, alone_nodes=0, chunk_nodes=1000)[2] == digests


def test_a_proof_has_a_stage_a_bound():
    kind = registry.kind("rings.prove")
    state = near_states(1, 12, seed=3)[0]
    first = StageOutcome(
        0,
        "",
        [
            {
                "standings": [{"item": 0, "state": state, "lower_bound": 11, "nodes": 5, "last_nodes": 5}],
                "tables": {"a-table": "00"},
            }
        ],
    )
    plan = kind.next_stage(ProveParams(), JobOutcome([first], 0))
    assert plan is not None
    assert plan.label == "bound 11, about 4.5e+01 nodes"  # nine times as many as the last bound
    assert len(plan.chunks) == 4
    nothing = [{"item": 0, "share": share, "shares": 4, "nodes": 10, "moves": None} for share in range(4)]
    plan = kind.next_stage(ProveParams(), JobOutcome([first, StageOutcome(1, "", nothing)], 0))
    assert plan is not None
    assert plan.label.startswith("bound 12, ")
    late = [{**nothing[0]}, {**nothing[1], "moves": "D"}, {**nothing[2], "moves": "R1"}, nothing[3]]
    stages = [first, StageOutcome(1, "", nothing), StageOutcome(2, "", late)]
    plan = kind.next_stage(ProveParams(), JobOutcome(stages, 0))
    assert plan is not None
    assert plan.label == "results"
    assert plan.chunks[0].payload["conclude"]["moves"] == "D"  # of the first share that has a solution
    assert plan.chunks[0].payload["tables"] == {"a-table": "00"}
    stages.append(StageOutcome(3, "", [{"item": 0}]))
    assert kind.next_stage(ProveParams(), JobOutcome(stages, 1)) is None
    assert kind.summarize(ProveParams(), JobOutcome(stages, 1))["results"] == [
        {"state": state, "optimal_clicks": 12, "moves": "D", "nodes": 65, "refuted": [{"bound": 11, "nodes": 40}]}
    ]


def test_a_proof_that_none_is_below():
    state = random_states(1, seed=6)[0].text
    records, summary, _ = run_job(
        "rings.prove", [state, near_states(1, 9)[0]], max_clicks=19, alone_nodes=0, chunk_nodes=10_000
    )
    by_state = {record.state: record for record in records}
    assert by_state[state].moves is None
    assert by_state[state].lower_bound >= 20
    assert not by_state[state].optimal
    assert summary["states"] == len(records) == 2
    assert summary["results"][0]["none_below"] == by_state[state].lower_bound
    assert verify(*records) == [None, None]


def test_a_lost_chunk_proves_nothing():
    state = near_states(1, 13, seed=3)[0]
    kwargs = {"alone_nodes": 0, "chunk_nodes": 1000}
    whole = run_job("rings.prove", [state], **kwargs)[0][0]
    for stage in (1, 2):
        records, summary, _ = run_job("rings.prove", [state], lost=lambda s, i, at=stage: s == at and i == 0, **kwargs)
        assert len(records) == 1
        assert records[0].lower_bound <= whole.lower_bound
        assert records[0].moves is None or records[0].clicks == whole.clicks
        assert verify(*records) == [None]
    records, summary, _ = run_job("rings.prove", [state], lost=lambda s, _: s == 1, **kwargs)
    assert records[0].moves is None
    records, summary, _ = run_job("rings.prove", [state], lost=lambda s, _: s == 0, **kwargs)
    assert (records, summary["states"]) == ([], 0)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        (STATE, STATE),
        (f"  {STATE[:7]} {STATE[7:]}  ", STATE),
        (f"{STATE},20,9,R3 R5'", STATE),
        (f'"{STATE}",20', STATE),
        (json.dumps({"state": STATE, "moves": "R1"}), STATE),
        ("", None),
        ("# a comment", None),
        ("state,scramble_clicks,optimal_clicks,one_optimal_solution", None),
    ],
)
def test_lines(line, state):
    assert parse_state_line(line) == state
    assert registry.kind("rings.solve").parse_line(line) == state
    assert registry.kind("rings.prove").parse_line(line) == state


@pytest.mark.parametrize("line", ["x", STATE + "1", "{", "{}", '{"state": 5}', "[]", "{" * 9000, STATE[:-1] + "0"])
def test_bad_lines(line):
    with pytest.raises(InvalidInputError):
        parse_state_line(line)


def test_estimates_grow():
    for name, small, large in (
        ("rings.solve", {"width": 100}, {"width": 100_000}),
        ("rings.prove", {"max_clicks": 20}, {"max_clicks": 27}),
        ("rings.scramble", {"count": 1}, {"count": 1000}),
    ):
        kind = registry.kind(name)
        costs = [kind.estimate(kind.params_model(**given), [STATE] * 10).core_seconds for given in (small, large)]
        assert costs[0] < costs[1]


GOOD = SolutionRecord(STATE, State(STATE).canonical().text, "ida", "R3 R5' D' R2 R4 D R3' R4 D'", 9, 9, optimal=True)
POSITION = PositionRecord(STATE, State(STATE).canonical().text, 9, {"scramble": "distance", "distance": 9, "moves": None})


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (replace(GOOD, canonical=STATE), "canonical state"),
        (replace(GOOD, moves="R1"), "do not solve"),
        (replace(GOOD, clicks=8), "8 clicks claimed"),
        (replace(GOOD, lower_bound=10), "above a solution"),
        (replace(GOOD, lower_bound=8), "optimal is True"),
        (replace(GOOD, moves="R1 R1' " + GOOD.moves, clicks=11, lower_bound=11), "but 9 clicks solve it"),
        (replace(GOOD, moves="R1 R1' " + GOOD.moves, clicks=11, lower_bound=10, optimal=False), "but 9 clicks solve it"),
        (replace(GOOD, moves=None), "no moves, yet"),
        (replace(GOOD, moves=None, clicks=None, optimal=False, lower_bound=10), "but 9 clicks solve it"),
        (replace(GOOD, moves="R9"), "is no click"),
        (replace(GOOD, state="0" * 35), "impossible state"),
        (replace(POSITION, origin={"moves": "D"}), "do not lead to it"),
        (replace(POSITION, lower_bound=10), "but 9 clicks solve it"),
        (replace(POSITION, canonical=STATE), "canonical state"),
        (replace(POSITION, origin={"moves": "D R4' R3 D' R4' R2' D R5 R3'", "distance": 8}), "distance 8, but 9 moves"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_verify_finds_what_is_wrong(record, words):
    (wrong,) = verify(record)
    assert words in wrong


def test_verify_accepts_what_holds():
    assert (
        verify(GOOD, POSITION, replace(GOOD, moves="R1 R1' " + GOOD.moves, clicks=11, lower_bound=9, optimal=False))
        == [None] * 3
    )
    assert verify(object()) == ["not a rings record: object"]


def test_verify_says_when_a_bound_takes_too_long(monkeypatch, caplog):
    monkeypatch.setattr(verification, "unions", lambda _: None)
    monkeypatch.setattr(verification, "MAX_NODES", -1)  # not even the first bound
    with caplog.at_level(logging.WARNING):
        assert verify(GOOD) == [None]
    assert "proved again up to lower bound" in caplog.text
