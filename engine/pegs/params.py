"""The parameters of the peg solitaire job kinds, and what they mean on a board."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from engine.jobs import Params
from engine.pegs.boards import Board
from engine.pegs.catalogue import find_board
from engine.pegs.levels import DEFAULT_MEMORY_MIB


class Choice(StrEnum):
    """Whether to compute something: `auto` does where it is cheap."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


class Mode(StrEnum):
    """Which solutions to give."""

    ALL = "all"
    SHORTEST = "shortest"
    RANDOM = "random"
    INDEX = "index"


def _known_board(text: str) -> str:
    find_board(text)  # raises, saying what is wrong with it
    return text


BoardText = Annotated[str, AfterValidator(_known_board)]


class EnumerateParams(Params):
    """Parameters of `pegs.enumerate`."""

    board: BoardText = Field("triangle-15", description="A board's name, or a drawn board.", examples=["english-33"])
    start: str = Field("all", description="The hole that is empty at the start, by number or name; all: each.", examples=["d4"])
    moves: Choice = Field(Choice.AUTO, description="Fewest moves and the solution graph; auto: up to 33 holes.")
    store: Choice = Field(Choice.AUTO, description="Every solution as a row; auto: up to 100,000 a start.")
    memory_mib: int = Field(DEFAULT_MEMORY_MIB, ge=64, le=1 << 20, description="Memory a worker may take, in MiB.")


class SolveParams(Params):
    """Parameters of `pegs.solve`."""

    board: BoardText = Field("triangle-15", description="A board's name, or a drawn board.", examples=["english-33"])
    start: str = Field("0", description="The hole that is empty at the start, by number or name.", examples=["d4"])
    finish: str = Field("any", description="Where the last peg ends: any, start (the hole empty at first), or a hole.")
    mode: Mode = Field(Mode.SHORTEST, description="Which solutions: one with fewest moves, all, by index, or drawn uniformly.")
    index: int = Field(0, ge=0, description="With --mode index: the solution's number, from 0.")
    count: int = Field(1, ge=1, le=1_000_000, description="With --mode random or index: how many.")
    memory_mib: int = Field(DEFAULT_MEMORY_MIB, ge=64, le=1 << 20, description="Memory a worker may take, in MiB.")


def finish_holes(board: Board, start: int, finish: str) -> tuple[int, ...] | None:
    """Return the holes where the last peg may end, None for any; raise `UnknownHoleError` for a hole the board has not."""
    word = finish.strip().lower()
    if word == "any":
        return None
    return (start,) if word == "start" else (board.hole(finish),)
