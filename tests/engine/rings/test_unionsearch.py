"""The search with unions against the one without, and proofs made of shares: the same answers, whatever was faster."""

from dataclasses import replace

import pytest
from naive import rings as naive
from ringkit import TINY, outputs_with_and_without_compiler, random_states

from engine.errors import EngineError
from engine.rings import prove, proving
from engine.rings.errors import ImpossibleStateError
from engine.rings.ida import BoundedSearch, shortest
from engine.rings.model import Puzzle, State
from engine.rings.ordering import ordering, row_after, sequences
from engine.rings.prove import Standing, advanced, begin, folded
from engine.rings.unions import union_distances, unions
from engine.rings.unionsearch import UnionSearch
from engine.steps import result_of

SMALL = [Puzzle(5, 3, (0, 2)), Puzzle(4, 4, (0, 3)), Puzzle(4, 4, (0, 1, 3)), Puzzle(4, 3, (0,))]


def solvable(puzzle, count, seed=1):
    view = unions(puzzle)
    for state in random_states(count, seed=seed, puzzle=puzzle):
        try:
            union_distances(state, view)
        except ImpossibleStateError:
            continue
        yield state, view


def solved_by_unions(state, view, prefix_clicks=0, step=2**62):
    bound = max(union_distances(state, view))
    nodes = []
    while True:
        search = UnionSearch(state, bound, view, list(sequences(state.puzzle, min(prefix_clicks, bound - 1))))
        while not search.run(step):
            pass
        nodes.append(search.nodes)
        if search.solution is not None:
            return search.solution, nodes
        bound += 1


@pytest.mark.parametrize("puzzle", SMALL, ids=str)
def test_the_optimum_is_that_of_the_search_with_single_colours(puzzle):
    for number, (state, view) in enumerate(solvable(puzzle, 25)):
        if state.is_solved:
            continue
        moves, _ = solved_by_unions(state, view, number % 4)
        assert state.after(moves).is_solved
        assert len(moves) == shortest(state, max_clicks=99).lower_bound


def test_a_search_stopped_after_any_number_of_nodes_goes_on_to_the_same_end():
    state, view = next(solvable(SMALL[0], 1, seed=4))
    whole = solved_by_unions(state, view)
    in_steps = solved_by_unions(state, view, step=500)
    assert in_steps == whole


def test_parts_of_a_bound_together_are_the_bound():
    state, view = next(solvable(SMALL[0], 1, seed=5))
    moves, _ = solved_by_unions(state, view)
    prefixes = list(sequences(state.puzzle, 3))
    whole = UnionSearch(state, len(moves) - 1, view, prefixes)
    parts = [UnionSearch(state, len(moves) - 1, view, prefixes[share::7]) for share in range(7)]
    assert all(search.run() and search.solution is None for search in [whole, *parts])
    assert sum(search.nodes for search in parts) == whole.nodes
    found = [UnionSearch(state, len(moves), view, prefixes[share::7]) for share in range(7)]
    assert all(search.run() for search in found)
    solutions = [search.solution for search in found if search.solution is not None]
    assert solutions
    assert all(state.after(solution).is_solved and len(solution) == len(moves) for solution in solutions)
    for share, search in enumerate(found):
        if search.solution is not None:
            assert search.solution[:3] in prefixes[share::7]


def test_no_prefix_no_search():
    state, view = next(solvable(SMALL[0], 1))
    search = UnionSearch(state, 9, view, [])
    assert search.run()
    assert search.solution is None


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_every_state_is_reached_by_a_sequence_that_the_ordering_allows(puzzle):
    known = naive.distances(puzzle.rings, puzzle.beads, puzzle.places, depth=5)
    layer = {puzzle.solved.text: {0}}
    table = ordering(puzzle)
    for depth in range(6):
        assert set(layer) >= {text for text, distance in known.items() if distance == depth}
        following: dict[str, set[int]] = {}
        for text, rows in layer.items():
            for move in range(puzzle.move_count):
                after = {int(table[row, move]) for row in rows} - {-1}
                if after:
                    following.setdefault(State(text, puzzle).after((move,)).text, set()).update(after)
        layer = following


def test_no_two_short_sequences_of_the_ordering_do_the_same():
    for puzzle in (Puzzle(), Puzzle(3, 4, (0, 3))):
        seen = set()
        for length in range(5):
            for moves in sequences(puzzle, length):
                beads = range(puzzle.positions)
                for move in moves:
                    beads = [beads[source] for source in puzzle.sources(move)]
                assert tuple(beads) not in seen
                seen.add(tuple(beads))


def test_rows_after_sequences():
    puzzle = Puzzle()
    assert row_after(puzzle, ()) == 0
    undone = ordering(puzzle)[row_after(puzzle, puzzle.parse_moves("R1"))]
    assert undone[1] == -1
    other_order = ordering(puzzle)[row_after(puzzle, puzzle.parse_moves("R3"))]
    assert (other_order[0], other_order[6] >= 0) == (-1, True)


def test_searches_are_plain_python_too():
    program = """
from engine.rings.model import Puzzle
from engine.rings.unions import unions
from engine.rings.unionsearch import UnionSearch
from engine.steps import result_of
puzzle = Puzzle(4, 2, (0,))
state = puzzle.solved.after(puzzle.parse_moves("D R1 D R2 D' R3 D"))
for bound in range(1, 8):
    search = UnionSearch(state, bound, unions(puzzle))
    search.run()
    print(bound, search.nodes, search.solution)
    if search.solution is not None:
        break
"""
    plain, compiled = outputs_with_and_without_compiler(program)
    assert plain == compiled != ""


@pytest.fixture
def _small_puzzle(monkeypatch):
    """Proofs of five rings of three: states are read as that puzzle's, and its unions are at hand."""
    monkeypatch.setattr(prove.State, "parse", classmethod(lambda cls, text: cls(text, SMALL[0])))


def proof(state, *, with_unions, workers=2):
    return result_of(proving.proving(state.text, max_clicks=60, with_unions=with_unions, workers=workers))


@pytest.mark.usefixtures("_small_puzzle")
@pytest.mark.parametrize(("with_unions", "beam_works"), [(True, True), (True, False), (False, False)])
def test_a_proof_by_shares_is_the_same_on_any_number_of_cores(monkeypatch, with_unions, beam_works):
    monkeypatch.setattr(proving, "ALONE_NODES", 0)
    if not beam_works:
        monkeypatch.setattr(prove, "beam", lambda *_: None)
    for state, _ in solvable(SMALL[0], 1, seed=2):
        known = shortest(state, max_clicks=99)
        proofs = {proof(state, with_unions=with_unions, workers=workers) for workers in (1, 3)}
        assert len(proofs) == 1
        (standing,) = proofs
        assert standing.lower_bound == known.lower_bound
        assert standing.moves is not None
        assert state.after(SMALL[0].parse_moves(standing.moves)).is_solved
        assert len(standing.moves.split()) == known.lower_bound
        assert [one.bound for one in standing.refuted] == list(
            range(known.lower_bound - len(standing.refuted), known.lower_bound)
        )
        assert {len(one.share_nodes) for one in standing.refuted[1:]} <= {proving.SHARES}  # the first takes no time
        if beam_works and standing.known is not None and len(standing.known.split()) == known.lower_bound:
            assert standing.nodes == sum(one.nodes for one in standing.refuted)


def test_a_proof_without_the_tables_it_wants(own_tables):
    with pytest.raises(EngineError, match="rings tables --unions"):
        list(begin(0, Puzzle().solved.after((0, 10)).text, max_clicks=5, max_nodes=1, with_unions=True))


def test_the_first_share_with_a_solution_counts():
    standing = Standing(0, "0" * 35, 20, 5, 5)
    shares = [
        {"share": share, "shares": 4, "nodes": 10 + share, "moves": moves} for share, moves in ((2, "D"), (0, None), (1, "R1"))
    ]
    after = folded(standing, shares)
    assert (after.moves, after.nodes, after.lower_bound) == ("R1", 5 + 10 + 11, 20)
    nothing = [{**share, "moves": None} for share in shares]
    assert folded(standing, nothing).stuck
    full = [*nothing, {"share": 3, "shares": 4, "nodes": 1, "moves": None}]
    after = folded(standing, full)
    assert (after.lower_bound, after.refuted, after.stuck) == (21, ((20, 34, (10, 11, 12, 1)),), False)


def test_a_known_solution_is_proved_when_the_bound_meets_it():
    standing = Standing(0, "0" * 35, 3, 5, 5, known="D R1 D R2")
    assert advanced(standing, 7, None).moves == "D R1 D R2"
    assert advanced(replace(standing, known="D D R1 D R2"), 7, None).moves is None


def test_what_the_next_bound_takes_is_foretold_by_the_growth():
    standing = Standing(0, "0" * 35, 30, 0, 0)
    for nodes in (1000, 8000):
        standing = advanced(standing, nodes, None)
    assert standing.next_nodes == 8000 * prove.GROWTH
    for nodes in (1_000_000, 8_000_000):
        standing = advanced(standing, nodes, None)
    assert standing.next_nodes == 64_000_000


def test_a_stopped_proof_ends_its_threads(monkeypatch):
    monkeypatch.setattr(proving, "ALONE_NODES", 0)
    monkeypatch.setattr(prove, "beam", lambda *_: None)
    state = random_states(1, seed=9)[0]
    steps = proving.proving(state.text, max_clicks=60, with_unions=False, workers=2)
    for step in steps:
        if step.nodes:
            break
    steps.close()  # returns only when the threads have ended


def test_the_single_colours_split_a_bound_in_order():
    state = Puzzle().solved.after(Puzzle().parse_moves("D R1 R3' D R2 R5 D' R1' R4"))
    bound = shortest(state, max_clicks=20).lower_bound
    found = []
    for share in range(4):
        *_, (_, moves) = prove.search_share(state.text, bound, share, 4)
        found.append(moves)
    first = next(moves for moves in found if moves is not None)
    search = BoundedSearch(state, bound)
    search.run()
    assert Puzzle().format_moves(search.solution or ()) == first
