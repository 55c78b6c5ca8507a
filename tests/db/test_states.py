"""The document and the code draw the same state machines."""

import re
from pathlib import Path

import pytest

from db.models import ChunkState, JobState
from db.store.states import CHUNK_EDGES, JOB_EDGES, OPEN_CHUNKS, OPEN_JOBS, Event, chunk_sources, chunk_target, job_target

DOCUMENT = (Path(__file__).parents[2] / "docs" / "3-job-states.md").read_text()


def table(name):
    """The (from, event, to) rows of the table below a marker."""
    section = DOCUMENT.partition(f"<!-- {name} edges -->")[2].partition("\n\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    return [tuple(row[:3]) for row in rows[2:]]


def diagram(name):
    """The same from the diagram before the marker."""
    picture = DOCUMENT.partition(f"<!-- {name} edges -->")[0].rpartition("```mermaid")[2]
    found = set()
    for before, after, events in re.findall(r"(\S+) --> (\S+): (.+)", picture):
        found |= {("(new)" if before == "[*]" else before, event, after) for event in events.split(", ")}
    return found


def edges(of):
    return [(edge.before or "(new)", edge.event.value, edge.after.value) for edge in of]


@pytest.mark.parametrize(("name", "of"), [("chunk", CHUNK_EDGES), ("job", JOB_EDGES)])
def test_the_document_has_every_edge_and_no_other(name, of):
    assert table(name) == edges(of)
    assert diagram(name) == set(edges(of))


def test_every_state_can_be_reached_and_open_ones_can_be_left():
    for of, states, open_ones in ((CHUNK_EDGES, ChunkState, OPEN_CHUNKS), (JOB_EDGES, JobState, OPEN_JOBS)):
        assert {edge.after for edge in of} == set(states)
        assert set(open_ones) <= {edge.before for edge in of}


def test_an_event_leads_to_one_state():
    for event in {edge.event for edge in CHUNK_EDGES}:
        chunk_target(event)
    for event in {edge.event for edge in JOB_EDGES}:
        job_target(event)
    assert chunk_sources(Event.CANCELLED) == (ChunkState.QUEUED, ChunkState.RUNNING)
