"""Peg solitaire results as text for people: tables and pictures."""

from collections.abc import Sequence

from engine.jobs import JsonObject
from engine.pegs.boards import Board
from engine.pegs.parity import possible_finishes
from engine.pegs.report import StartReport
from engine.pegs.solution import Solution
from frontends.cli.pegs_start import Start
from frontends.cli.tables import cell, pairs, table


def board_text(board: Board) -> str:
    """Return a board's picture with hole numbers, its names and its figures."""
    names = "\n".join(
        " ".join(f"{i}={board.hole_names[i]}" for i in range(len(board)) if board.cells[i][0] == row)
        for row in sorted({row for row, _ in board.cells})
    )
    facts = {
        "holes": len(board),
        "jumps": len(board.jumps),
        "symmetries": len(board.symmetries),
        "starts that differ": ", ".join(str(holes[0]) for holes in board.start_classes),
        "shape hash": board.shape_hash,
    }
    return f"{board.name}\n\n{board.numbered()}\n\n{names}\n\n{pairs(facts)}"


def enumeration_text(report: StartReport, start: Start) -> str:
    """Return one start's figures: the picture, totals, a table by jumps, a table by finish, and the two problems."""
    counted = report.enumeration
    board = counted.board
    totals = {
        "positions": f"{counted.positions:,} ({counted.classes:,} up to symmetry)",
        "games": f"{counted.games:,}, the shortest {counted.shortest_game} jumps",
        "stuck": f"{counted.stuck_positions:,} positions without a jump",
        "solutions": counted.solutions,
    }
    by_jumps = table(
        ["jumps", "positions", "classes", "stuck", "games ending"],
        list(
            zip(
                range(len(counted.positions_by_jumps)),
                counted.positions_by_jumps,
                counted.classes_by_jumps,
                counted.stuck_by_jumps,
                counted.games_by_jumps,
                strict=True,
            )
        ),
    )
    parts = [f"{board.name}, {start.label(board)}", board.text(start.position), pairs(totals), by_jumps]
    if counted.solutions_by_finish:
        moves = report.moves.by_finish if report.moves else {}
        parts.append(
            table(
                ["last peg in", "name", "solutions", "fewest moves"],
                [(hole, board.hole_names[hole], n, moves.get(hole)) for hole, n in counted.solutions_by_finish.items()],
            )
        )
    elif not possible_finishes(board, counted.start):
        parts.append("No single peg is in the start's position class: it cannot be solved (by parity).")
    parts.append(_problems_text(report))
    return "\n\n".join(part for part in parts if part)


def _problems_text(report: StartReport) -> str:
    if report.moves is None:
        return ""
    lines = [f"Problem A (one peg left anywhere): {_moves(report.problem_a())}"]
    if report.problem_a() is not None:
        lines.append(f"  {report.moves.shortest()}")
    if report.hole is not None:
        lines.append(f"Problem B (one peg left in hole {report.hole}): {_moves(report.problem_b())}")
        if report.problem_b() is not None:
            lines.append(f"  {report.moves.shortest(report.hole)}")
    return "\n".join(lines)


def _moves(moves: int | None) -> str:
    return "impossible" if moves is None else f"{moves} moves"


def starts_text(board: Board, rows: Sequence[tuple[int, JsonObject]]) -> str:
    """Return a table with a line for each start, and the totals."""
    lines = [
        (
            hole,
            board.hole_names[hole],
            found["positions"],
            found["games"],
            found["solutions"],
            found["solutions_complement"],
            found.get("problem_a"),
            found.get("problem_b"),
        )
        for hole, found in rows
    ]
    headings = ["start", "name", "positions", "games", "solutions", "to the start", "Problem A", "Problem B"]
    total = f"{cell(sum(line[4] for line in lines))} solutions and {cell(sum(line[3] for line in lines))} games from all starts"
    legend = "Problem A: fewest moves to one peg anywhere; Problem B: to one peg in the hole that was empty at the start."
    return f"{board.name}\n\n{table(headings, lines)}\n\n{total}\n{legend}"


def solution_text(solution: Solution, number: int | None, *, pictures: bool) -> str:
    """Return a solution: a line with its figures, its moves, and with `pictures` the board after each move."""
    board = solution.board
    names = board.hole_names
    title = (
        f"{len(solution.jumps)} jumps in {solution.moves} moves, last peg in hole {solution.finish} ({names[solution.finish]})"
    )
    head = title if number is None else f"solution {number:,}: {title}"
    if not pictures:
        return f"{head}\n  {solution}"
    parts = [head, board.text(solution.start)]
    positions, done = solution.positions(), 0
    for count, sweep in enumerate(solution.sweeps(), start=1):
        done += len(sweep) - 1
        parts.append(f"{count}. {'-'.join(names[hole] for hole in sweep)}\n{board.text(positions[done])}")
    return "\n\n".join(parts)
