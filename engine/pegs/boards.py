"""The board: holes on a lattice, the jumps they allow, their symmetries, names, and positions as text."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from engine.jobs import canonical_json
from engine.pegs import drawing, lattice
from engine.pegs.errors import IllegalJumpError, UnknownHoleError
from engine.pegs.lattice import Cell, Lattice
from engine.pegs.records import BoardRecord
from engine.pegs.svg import board_svg


class Jump(NamedTuple):
    """One jump by hole numbers: the peg at `origin` goes to `to`, the peg at `over` is removed."""

    origin: int
    over: int
    to: int

    @property
    def holes(self) -> int:
        """Return the three holes as a position."""
        return 1 << self.origin | 1 << self.over | 1 << self.to

    def is_legal(self, position: int) -> bool:
        """Return whether `position` allows the jump."""
        return bool(position >> self.origin & position >> self.over & ~(position >> self.to) & 1)


@dataclass(frozen=True)
class Board:
    """A board of up to 64 holes. Holes are numbered row by row from 0; a position is an integer, bit i = a peg in hole i.

    Two boards are equal if they have the same lattice and holes, whatever they are called.
    """

    lattice: Lattice
    cells: tuple[Cell, ...]
    """(row, column) of each hole, normalised to begin at row 0 and column 0, in row-major order."""
    name: str = field(compare=False)

    def __repr__(self) -> str:
        from engine.pegs.catalogue import is_named  # noqa: PLC0415  # the catalogue is made of boards

        return f"named_board({self.name!r})" if is_named(self) else f"parse_board({self.text()!r})"

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg(self.full)

    def __len__(self) -> int:
        """Return the number of holes."""
        return len(self.cells)

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """Every jump of the board, sorted by (from, over, to); solutions are numbered in this order."""
        return tuple(Jump(*jump) for jump in lattice.jumps(self.lattice, self.cells))

    @cached_property
    def _jump_between(self) -> dict[tuple[int, int], Jump]:
        return {(jump.origin, jump.to): jump for jump in self.jumps}

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The board's full symmetry group as permutations of hole numbers (`p[i]` is where hole i goes), identity first."""
        return lattice.symmetries(self.lattice, self.cells)

    @cached_property
    def shape_hash(self) -> str:
        """32 hex digits of BLAKE2b over the number of holes and the jumps: equal for boards that play alike hole by hole."""
        return hashlib.blake2b(canonical_json([len(self), self.jumps]), digest_size=16).hexdigest()

    @cached_property
    def hole_names(self) -> tuple[str, ...]:
        """Names such as `d4`: a letter for the column, a number for the row (from 1), as in the literature."""
        return tuple(f"{_letters(column)}{row + 1}" for row, column in self.cells)

    @property
    def full(self) -> int:
        """The position with a peg in every hole."""
        return (1 << len(self)) - 1

    def vacancy(self, hole: int) -> int:
        """Return the position with a peg in every hole but `hole`."""
        return self.full ^ (1 << hole)

    def hole(self, text: str | int) -> int:
        """Return the number of the hole given by number or name; raise `UnknownHoleError` if there is none."""
        word = str(text).strip().lower()
        if re.fullmatch(r"[0-9]{1,4}", word) and int(word) < len(self):
            return int(word)
        if word in self.hole_names:
            return self.hole_names.index(word)
        raise UnknownHoleError(
            f"board {self.name} has no hole {text!r}; holes are numbered 0 to {len(self) - 1}, or named like "
            f"{self.hole_names[0]} and {self.hole_names[-1]}"
        )

    def holes_of(self, position: int) -> tuple[int, ...]:
        """Return the holes that hold a peg, ascending."""
        return tuple(i for i in range(len(self)) if position >> i & 1)

    def position_of(self, holes: Iterable[int]) -> int:
        """Return the position with a peg in each of `holes`: the inverse of `holes_of`."""
        return sum(1 << hole for hole in set(holes))

    def legal_jumps(self, position: int) -> list[Jump]:
        """Return the jumps that `position` allows, in the board's order."""
        return [jump for jump in self.jumps if jump.is_legal(position)]

    def jump(self, position: int, origin: int, to: int) -> int:
        """Return the position after the jump from `origin` to `to`; raise `IllegalJumpError` if it is not legal there."""
        jump = self._jump_between.get((origin, to))
        if jump is not None and jump.is_legal(position):
            return position ^ jump.holes
        raise IllegalJumpError(f"no jump from hole {origin} to hole {to} on {self.name} in\n{self.text(position)}")

    def moved(self, position: int, symmetry: Sequence[int]) -> int:
        """Return the image of `position` under one of the board's symmetries."""
        return self.position_of(symmetry[hole] for hole in self.holes_of(position))

    def stabiliser(self, position: int) -> tuple[tuple[int, ...], ...]:
        """Return the symmetries that leave `position` as it is, identity first."""
        return tuple(s for s in self.symmetries if self.moved(position, s) == position)

    @cached_property
    def start_classes(self) -> tuple[tuple[int, ...], ...]:
        """The holes in classes of symmetric ones, each ascending, by smallest hole."""
        classes = {min(s[hole] for s in self.symmetries): set[int]() for hole in range(len(self))}
        for hole in range(len(self)):
            classes[min(s[hole] for s in self.symmetries)].add(hole)
        return tuple(tuple(sorted(members)) for _, members in sorted(classes.items()))

    def text(self, position: int | None = None) -> str:
        """Return the picture of `position` (default: every hole filled); `parse_board` reads it back to an equal board."""
        position = self.full if position is None else position
        marks = {c: drawing.PEG if position >> i & 1 else drawing.EMPTY for i, c in enumerate(self.cells)}
        picture = drawing.draw(self.lattice, marks)
        plain = drawing.read_drawing(picture)
        same = plain.lattice is self.lattice and plain.cells == self.cells
        return picture if same else drawing.heading(self.lattice) + picture

    def numbered(self) -> str:
        """Return the picture with each hole's number in its place."""
        return drawing.draw(self.lattice, {cell: str(i) for i, cell in enumerate(self.cells)})

    def svg(self, position: int) -> str:
        """Return the position as an SVG picture."""
        places = [(self.lattice.picture_column(cell), cell[0]) for cell in self.cells]
        return board_svg(self.name, places, [bool(position >> i & 1) for i in range(len(self))], self.hole_names)

    def record(self) -> BoardRecord:
        """Return the board as the database keeps it."""
        return BoardRecord(self.name, self.shape_hash, len(self), self.text())


def _letters(column: int) -> str:
    """Return the spreadsheet-like name of a column: a..z, aa, ab, ..."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("a") + digit) + name
    return name
