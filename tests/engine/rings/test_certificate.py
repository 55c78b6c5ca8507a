"""Certificates of proofs: what they say, that they can be done again, and that a false one is found out."""

import logging
from dataclasses import replace

import pytest
from ringkit import near_states, random_states, run_job, verify

from engine.jobs import canonical_json
from engine.rings import prove, proving
from engine.rings import verify as verification
from engine.rings.certificate import can_recheck, certificate, recheck
from engine.rings.model import Puzzle
from engine.rings.prove import Refuted, standing_of, tables_used
from engine.steps import result_of
from engine.version import ENGINE_VERSION

SMALL = Puzzle(5, 3, (0, 2))
PLENTY = 2**62


@pytest.fixture
def proved(monkeypatch):
    """The proof, by unions and in shares, of a state of five rings of three, and its certificate."""
    monkeypatch.setattr(prove.State, "parse", classmethod(lambda cls, text: cls(text, SMALL)))
    monkeypatch.setattr(proving, "ALONE_NODES", 300)
    monkeypatch.setattr(prove, "beam", lambda *_: None)
    state = random_states(1, seed=3, puzzle=SMALL)[0]
    standing = result_of(proving.proving(state.text, max_clicks=60, with_unions=True, workers=2))
    return state, standing, certificate(standing, tables_used(SMALL, with_unions=True))


def test_what_a_certificate_says(proved):
    _, standing, paper = proved
    assert paper["engine_version"] == ENGINE_VERSION
    assert paper["with_unions"]
    assert all(len(digest) == 64 for digest in paper["tables"].values())
    refuted = [Refuted.of(one) for one in paper["refuted"]]
    assert refuted == list(standing.refuted)
    assert [one.bound for one in refuted] == list(range(standing.lower_bound - len(refuted), standing.lower_bound))
    assert {len(one.share_nodes) for one in refuted} == {0, proving.SHARES}  # some bounds whole, some in shares
    assert all(sum(one.share_nodes) == one.nodes for one in refuted if one.share_nodes)
    assert standing_of(standing.as_json()) == standing
    canonical_json(paper)


def test_a_certificate_is_done_again(proved):
    state, standing, paper = proved
    assert can_recheck(state, paper)
    found = recheck(state, standing.lower_bound, standing.nodes, paper, PLENTY)
    assert (found.problem, found.proved, found.sampled) == (None, standing.lower_bound, [])


def test_what_is_too_dear_is_sampled(proved):
    state, standing, paper = proved
    last = standing.refuted[-1]
    budget = sum(one.nodes for one in standing.refuted) - last.nodes // 2
    found = recheck(state, standing.lower_bound, standing.nodes, paper, budget)
    assert (found.problem, found.proved) == (None, last.bound)
    ((bound, some, shares),) = found.sampled
    assert (bound, shares) == (last.bound, proving.SHARES)
    assert 0 < some < shares
    nothing = recheck(state, standing.lower_bound, standing.nodes, paper, 0)
    assert (nothing.problem, nothing.sampled) == (None, [])
    assert nothing.proved == standing.lower_bound - len(standing.refuted)


def changed(paper, place, **fields):
    refuted = [dict(one) for one in paper["refuted"]]
    refuted[place].update(fields)
    return {**paper, "refuted": refuted}


def test_a_false_certificate_is_found_out(proved):
    state, standing, paper = proved
    first, last = standing.refuted[0], standing.refuted[-1]
    other_shares = [last.share_nodes[0] + 1, last.share_nodes[1] - 1, *last.share_nodes[2:]]

    def problem(paper, claimed=standing.lower_bound, nodes=standing.nodes):
        return recheck(state, claimed, nodes, paper, PLENTY).problem

    assert "nodes, " in problem(changed(paper, 0, nodes=first.nodes - 1))
    assert "share " in problem(changed(paper, -1, share_nodes=other_shares))
    assert "its shares have" in problem(changed(paper, -1, nodes=last.nodes - 1))
    assert "refutes bounds" in problem(changed(paper, 0, bound=first.bound + 1))
    assert "refutes bounds" in problem(paper, claimed=standing.lower_bound + 1)
    assert "leaves bound" in problem({**paper, "refuted": paper["refuted"][1:]})
    assert "its certificate has" in problem(paper, nodes=1)
    assert "names tables" in problem({**paper, "tables": dict.fromkeys(paper["tables"], "0" * 64)})
    too_far = {**paper, "refuted": [*paper["refuted"], {"bound": standing.lower_bound, "nodes": 1}]}
    assert "solves it" in problem(too_far, claimed=standing.lower_bound + 1)


def test_another_version_may_take_other_nodes(proved):
    state, standing, paper = proved
    older = {**changed(paper, 0, nodes=standing.refuted[0].nodes - 1), "engine_version": "0"}
    found = recheck(state, standing.lower_bound, standing.nodes, older, PLENTY)
    assert (found.problem, found.proved) == (None, standing.lower_bound)


def test_the_record_of_a_proof_has_its_certificate(caplog, monkeypatch):
    states = near_states(1, 12, seed=3)
    ((record,), _, _) = run_job("rings.prove", states, alone_nodes=0, chunk_nodes=1000)
    assert record.certificate is not None
    assert record.certificate["refuted"]
    assert record.content() != replace(record, certificate=None).content()
    assert verify(record) == [None]
    assert caplog.text == ""
    (wrong,) = verify(replace(record, certificate=changed(record.certificate, -1, nodes=1, share_nodes=[1])))
    assert "takes" in wrong
    monkeypatch.setattr(verification, "MAX_NODES", record.certificate["refuted"][-1]["nodes"] // 2)
    with caplog.at_level(logging.WARNING):
        assert verify(record) == [None]
    assert f"of {record.lower_bound}; of bound " in caplog.text
    monkeypatch.setattr(verification, "can_recheck", lambda *_: False)
    monkeypatch.setattr(verification, "MAX_NODES", PLENTY)
    assert verify(record) == [None]  # without the tables it used, by those of one colour
