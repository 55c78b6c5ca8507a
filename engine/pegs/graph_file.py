"""The solution graph's file form: one header line of JSON, then the arrays, little-endian.

Layout: the line `puzzlemill-peg-graph 1`, a line of JSON, then `keys` (uint64), `lows` (uint64) and, if the header says
`wide`, `highs` (uint64), each as long as the last of the header's `bounds`. Equal graphs give equal bytes.
"""

import json

import numpy as np

from engine.errors import InvalidInputError
from engine.jobs import canonical_json
from engine.pegs.catalogue import parse_board
from engine.pegs.graph import SolutionGraph
from engine.pegs.group import group_tables

_MAGIC = b"puzzlemill-peg-graph 1\n"


def graph_bytes(graph: SolutionGraph) -> bytes:
    """Return the file form of `graph`."""
    wide = bool(graph.highs.any())
    header = canonical_json(
        {
            "board": graph.board.text(),
            "name": graph.board.name,
            "shape_hash": graph.board.shape_hash,
            "start": str(graph.start),
            "finishes": graph.finishes,
            "bounds": graph.bounds.tolist(),
            "total": str(graph.total),
            "wide": wide,
        }
    )
    arrays = (graph.keys, graph.lows, *((graph.highs,) if wide else ()))
    return b"".join([_MAGIC, header, b"\n", *(array.astype("<u8", copy=False).tobytes() for array in arrays)])


def read_graph(data: bytes) -> SolutionGraph:
    """Return the graph that `graph_bytes` made; raise `InvalidInputError` if the data are not one, or damaged."""
    head, _, _ = data[len(_MAGIC) : len(_MAGIC) + (1 << 20)].partition(b"\n")
    if not data.startswith(_MAGIC):
        raise InvalidInputError("not a solution graph file (or one of another version)")
    try:
        header = json.loads(head)
        board = parse_board(header["board"])
        start = int(header["start"])
        finishes = tuple(int(hole) for hole in header["finishes"])
        bounds = np.array(header["bounds"], np.int64)
        wide, total, shape = bool(header["wide"]), int(header["total"]), str(header["shape_hash"])
        size = int(bounds[-1])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InvalidInputError(f"solution graph file: its header is damaged ({error})") from None
    body = len(_MAGIC) + len(head) + 1
    expected = body + 8 * size * (3 if wide else 2)
    if len(data) != expected or shape != board.shape_hash:
        raise InvalidInputError(f"solution graph file: {len(data)} bytes where {expected} were expected; it is damaged")
    arrays = [np.frombuffer(data, "<u8", size, body + 8 * size * i).astype(np.uint64) for i in range(3 if wide else 2)]
    highs = arrays[2] if wide else np.zeros(size, np.uint64)
    symmetries = [s for s in board.stabiliser(start) if {s[hole] for hole in finishes} == set(finishes)]
    graph = SolutionGraph(group_tables(board, symmetries), start, finishes, arrays[0], bounds, arrays[1], highs)
    if graph.total != total:
        raise InvalidInputError("solution graph file: the number of solutions does not fit its header; it is damaged")
    return graph
