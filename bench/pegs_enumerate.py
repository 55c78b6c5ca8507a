"""Peg solitaire: a whole enumeration with exact counts; English-33 from the centre, or the board in FILE (drawn or named).

Items are classes of positions. The figures of English-33 are compared with the published ones (OEIS A112737, Durango Bill)
and, where it is at hand, with the truth file beside the project. A drawn board is enumerated from the drawn vacancy, else from
hole 0.
"""

import json
import resource
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.result import BenchResult, timed
from engine.pegs.boards import Board
from engine.pegs.build import build_graph
from engine.pegs.catalogue import find_board, named_board, parse_position
from engine.pegs.drawing import looks_drawn
from engine.pegs.enumerate_job import Enumerate
from engine.pegs.enumeration import Enumeration, enumerate_from
from engine.pegs.sweeps import fewest_moves

if TYPE_CHECKING:
    from engine.jobs import JsonObject

TRUTH = Path(__file__).resolve().parent.parent.parent / "shared" / "truth" / "peg_truth.json"

# Durango Bill, "33 hole peg solitaire"; G. I. Bell, arXiv:0903.3696; OEIS A112737.
ENGLISH = {
    "classes": 23_475_688,
    "positions": 187_636_299,
    "games": 577_116_156_815_309_849_672,
    "solutions to the centre": 40_861_647_040_079_968,
}


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Enumerate `repeats` times; details have exact figures, what they were compared with, memory, and the graph's times."""
    board, hole = _board(path)
    start = board.vacancy(hole)
    begin = time.perf_counter()
    Enumerate().warm()
    compile_seconds = time.perf_counter() - begin
    results: list[Enumeration] = []
    cpu = time.process_time()
    seconds = timed(lambda: results.append(enumerate_from(board, start)), repeats)
    cpu_seconds = (time.process_time() - cpu) / repeats
    found = results[-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin = time.process_time()
    graph = build_graph(board, start)
    graph_seconds = time.process_time() - begin
    begin = time.process_time()
    fewest = fewest_moves(graph)
    details: JsonObject = {
        "board": board.name,
        "start": hole,
        "cpu_seconds": round(cpu_seconds, 3),
        "peak_mib": round(peak),
        "positions": found.positions,
        "games_text": str(found.games),
        "solutions_text": str(found.solutions),
        "graph_cpu_seconds": round(graph_seconds, 3),
        "winning_classes": len(graph),
        "moves_cpu_seconds": round(time.process_time() - begin, 3),
        "fewest_moves": fewest.by_finish,
        "checked": _checked(found, hole),
    }
    return BenchResult("pegs.enumerate", found.classes, seconds, repeats, compile_seconds, details)


def _board(path: Path | None) -> tuple[Board, int]:
    if path is None:
        board = named_board("english-33")
        return board, board.hole("d4")
    text = path.read_text(encoding="utf-8")
    if not looks_drawn(text):
        return find_board(text), 0
    board, position = parse_position(text)
    empty = board.holes_of(board.full ^ position)
    return board, empty[0] if len(empty) == 1 else 0


def _checked(found: Enumeration, hole: int) -> str:
    """Return what the figures were compared with; raise `AssertionError` if they differ."""
    board = found.board
    if board.name == "english-33" and hole == 16:
        figures = (found.classes, found.positions, found.games, found.solutions_by_finish[hole])
        assert figures == tuple(ENGLISH.values()), f"{figures} differ from the published {ENGLISH}"
        return "published totals" + _against_truth(found)
    return "nothing published"


def _against_truth(found: Enumeration) -> str:
    if not TRUTH.exists():
        return f"; {TRUTH.name} is not at hand for the rest"
    truth = json.loads(TRUTH.read_text(encoding="utf-8"))["english33_centre"]
    assert list(found.classes_by_jumps) == truth["classes_by_jumps"]["value"]
    assert list(found.positions_by_jumps) == truth["raw_by_jumps"]["value"]
    for jumps, row in truth["stuck_by_jumps"].items():
        assert (found.stuck_by_jumps[int(jumps)], found.games_by_jumps[int(jumps)]) == (row["raw"], int(row["games"]))
    return " and every level of the truth file"
