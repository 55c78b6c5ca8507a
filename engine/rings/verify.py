"""Checks stored rings results again: replays the clicks, and proves the claimed lower bounds anew.

A proof that has a certificate is done again with the tables it used, if they are here, and must take the same nodes; one that
is too dear is searched again in part.
"""

import logging
from collections.abc import Iterable, Iterator

from engine.errors import InvalidInputError
from engine.jobs import Record
from engine.rings.certificate import can_recheck, recheck
from engine.rings.model import State
from engine.rings.prove import begin
from engine.rings.records import PositionRecord, SolutionRecord
from engine.rings.unions import unions

log = logging.getLogger(__name__)

MAX_NODES = 1_000_000_000
"""A bound that takes more nodes to refute again (a minute or two) is not, or only in part, and the log says so."""


def verify(records: Iterable[Record]) -> Iterator[str | None]:
    """Yield for each record None if it holds when recomputed, else what is wrong with it."""
    for record in records:
        try:
            if isinstance(record, PositionRecord):
                yield _position(record)
            elif isinstance(record, SolutionRecord):
                yield _solution(record)
            else:
                yield f"not a rings record: {type(record).__name__}"
        except InvalidInputError as error:
            yield str(error)


def _position(record: PositionRecord) -> str | None:
    state = State(record.state)
    wrong = _canonical(state, record.canonical)
    if wrong is not None:
        return wrong
    moves = record.origin.get("moves")
    if isinstance(moves, str) and state.puzzle.solved.after(state.puzzle.parse_moves(moves)) != state:
        return "its moves do not lead to it from the solved state"
    distance = record.origin.get("distance")
    if distance is not None and isinstance(moves, str) and not len(moves.split()) == distance == record.lower_bound:
        return f"distance {distance}, but {len(moves.split())} moves and lower bound {record.lower_bound}"
    return _bound(state, record.lower_bound)


def _solution(record: SolutionRecord) -> str | None:
    state = State(record.state)
    wrong = _canonical(state, record.canonical)
    if wrong is not None:
        return wrong
    if record.moves is None:
        if record.clicks is not None or record.optimal:
            return "it has no moves, yet a number of clicks or the claim of an optimum"
        return _proof(state, record)
    moves = state.puzzle.parse_moves(record.moves)
    if not state.after(moves).is_solved:
        return "its moves do not solve it"
    if len(moves) != record.clicks:
        return f"{len(moves)} moves, but {record.clicks} clicks claimed"
    if record.lower_bound > len(moves):
        return f"lower bound {record.lower_bound} above a solution of {len(moves)} clicks"
    if record.optimal != (record.lower_bound == len(moves)):
        return f"optimal is {record.optimal}, with {len(moves)} clicks and lower bound {record.lower_bound}"
    return _proof(state, record)


def _canonical(state: State, claimed: str) -> str | None:
    canonical = state.canonical().text
    return None if canonical == claimed else f"canonical state {canonical}, but {claimed} claimed"


def _proof(state: State, record: SolutionRecord) -> str | None:
    """Do the proof of a solution's lower bound again, by its certificate if it has one."""
    paper = record.certificate
    if paper is None or not can_recheck(state, paper):
        return _bound(state, record.lower_bound)
    found = recheck(state, record.lower_bound, record.nodes, paper, MAX_NODES)
    if found.problem is None and found.proved < record.lower_bound:
        parts = "".join(f"; of bound {bound}, {some} of {all_} shares" for bound, some, all_ in found.sampled)
        log.warning(
            "state %s: proved again up to lower bound %d of %d%s; the rest takes too long here",
            *(state, found.proved, record.lower_bound, parts),
        )
    return found.problem


def _bound(state: State, claimed: int) -> str | None:
    """Prove that nothing below `claimed` clicks solves the state, as far as MAX_NODES go, with the best tables here."""
    if claimed == 0:
        return None
    with_unions = unions(state.puzzle) is not None
    *_, found = begin(0, state.text, max_clicks=claimed - 1, max_nodes=MAX_NODES, with_unions=with_unions)
    shorter = found.known if found.moves is None else found.moves
    if shorter is not None:
        return f"lower bound {claimed} claimed, but {len(shorter.split())} clicks solve it: {shorter}"
    if found.lower_bound < claimed:
        log.warning(
            "state %s: proved again up to lower bound %d of %d; the rest takes too long here", state, found.lower_bound, claimed
        )
    return None
