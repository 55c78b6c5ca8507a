"""The ring puzzle: rings of coloured beads that share a turning disc, its states, clicks and symmetries.

Ring `i` has places 0, 1, ... clockwise; the places in `Puzzle.places` lie on the central disc. A ring turned clockwise moves
each of its beads to the next place; the disc turned clockwise carries its beads to the same place of the next ring. Solved:
each ring holds only its own colour. Five rings of seven beads, with places 0 and 6 on the disc, is the puzzle sold as "five
rings" (type B).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from engine.rings.errors import ImpossibleStateError, InvalidMoveError, InvalidPuzzleError, InvalidStateError

MAX_POSITIONS = 62
"""A colour's beads are a 64-bit word with one bit a position; two bits are left free for shifts."""

MAX_RINGS = 10
"""A colour is one digit."""

_MOVE = re.compile(r"(?:R(?P<ring>\d+)|D)(?P<back>['’]?)")  # noqa: RUF001  # people paste moves with a typographic apostrophe


@dataclass(frozen=True, slots=True)
class Symmetry:
    """One symmetry of the puzzle: where each position goes, what each colour becomes, and which click each click becomes."""

    positions: tuple[int, ...]
    colours: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A ring puzzle. Moves are numbered: `2 i` turns ring `i` clockwise, `2 i + 1` back, then come the disc's two.

    In text, rings count from 1: `R1 R1' ... D D'`. Raises `InvalidPuzzleError` for parameters that make no puzzle.
    """

    rings: int = 5
    beads: int = 7
    """Beads a ring; also beads of each colour."""
    places: tuple[int, ...] = (0, 6)
    """Which places of every ring lie on the disc."""

    def __post_init__(self) -> None:
        if not 2 <= self.rings <= MAX_RINGS:
            raise InvalidPuzzleError(f"{self.rings} rings: a puzzle has 2 to {MAX_RINGS}, so that a colour is one digit")
        if self.beads < 2 or self.positions > MAX_POSITIONS:
            raise InvalidPuzzleError(
                f"{self.rings} rings of {self.beads} beads: needs at least 2 beads a ring and at most {MAX_POSITIONS} in all"
            )
        if not self.places or list(self.places) != sorted(set(self.places)) or not set(self.places) <= set(range(self.beads)):
            raise InvalidPuzzleError(
                f"places on the disc {self.places}: expected one or more of 0..{self.beads - 1}, ascending"
            )

    @property
    def positions(self) -> int:
        """Number of positions (35 for five rings of seven); position `beads * ring + place`."""
        return self.rings * self.beads

    @property
    def move_count(self) -> int:
        """Number of different clicks (12 for five rings)."""
        return 2 * self.rings + 2

    @property
    def solved(self) -> "State":
        """The solved state."""
        return State("".join(str(ring) * self.beads for ring in range(self.rings)), self)

    def move_name(self, move: int) -> str:
        """Return the text of one click, e.g. `R3'`."""
        back = "'" if move & 1 else ""
        return f"D{back}" if move >> 1 == self.rings else f"R{(move >> 1) + 1}{back}"

    def parse_moves(self, text: str) -> tuple[int, ...]:
        """Return the clicks of a blank-separated text; the inverse of `format_moves`. Raise `InvalidMoveError`."""
        return tuple(self._parse_move(word) for word in text.split())

    def _parse_move(self, word: str) -> int:
        match = _MOVE.fullmatch(word)
        ring = int(match["ring"]) - 1 if match and match["ring"] else self.rings
        if match is None or ring < 0 or (match["ring"] and ring >= self.rings):
            raise InvalidMoveError(f"{word!r} is no click; clicks are R1 to R{self.rings} and D, with ' for the other way")
        return 2 * ring + bool(match["back"])

    def format_moves(self, moves: Iterable[int]) -> str:
        """Return the clicks as blank-separated text, e.g. `R1 D R1' D'`."""
        return " ".join(self.move_name(move) for move in moves)

    @staticmethod
    def inverse(moves: Sequence[int]) -> tuple[int, ...]:
        """Return the clicks that undo `moves`."""
        return tuple(move ^ 1 for move in reversed(moves))

    def sources(self, move: int) -> tuple[int, ...]:
        """For each position, the position whose bead is there after the click."""
        return _sources(self)[move]

    def longest_run(self, move: int) -> int:
        """How often a click may follow itself in a shortest sequence: beyond that, the other way is shorter (or as short)."""
        cycle = self.rings if move >> 1 == self.rings else self.beads
        return (cycle - 1) // 2 if move & 1 else cycle // 2

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries, the identity first: the turns of the whole puzzle, and its mirror images (ten for five rings).

        The mirror reverses the order of the rings and, where the disc's places allow it, the direction of each ring.
        """
        return _symmetries(self)

    def tws(self) -> str:
        """Return the puzzle as a definition file (`.tws`) for the general solver twsearch, to cross-check with."""
        lines = [f"Name {'Five' if self.rings == 5 else self.rings}Rings{self.beads}", f"Set BEAD {self.positions} 1"]
        lines += ["Solved", "BEAD", " ".join(str(1 + p // self.beads) for p in range(self.positions)), "End"]
        for move in range(0, self.move_count, 2):
            lines += [f"Move {self.move_name(move)}", "BEAD", " ".join(str(p + 1) for p in self.sources(move)), "End"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class State:
    """A position of the puzzle: one digit a bead, ring by ring from place 0.

    Raises `InvalidStateError` for a wrong length or character, `ImpossibleStateError` for wrong numbers of beads of a colour.
    """

    text: str
    puzzle: Puzzle = field(default_factory=Puzzle)

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        highest = puzzle.rings - 1
        for place, digit in enumerate(self.text):
            if not ("0" <= digit <= "9" and int(digit) <= highest):
                raise InvalidStateError(f"character {place + 1} is {digit!r}; a colour is a digit 0 to {highest}")
        if len(self.text) != puzzle.positions:
            raise InvalidStateError(
                f"{len(self.text)} digits; a state has {puzzle.positions}, ring by ring from place 0 ({puzzle.beads} a ring)"
            )
        count = Counter(self.text)
        wrong = [f"{count[str(c)]} of colour {c}" for c in range(puzzle.rings) if count[str(c)] != puzzle.beads]
        if wrong:
            raise ImpossibleStateError(f"impossible state: {', '.join(wrong)}; every colour has {puzzle.beads} beads")

    @classmethod
    def parse(cls, text: str, puzzle: Puzzle | None = None) -> "State":
        """Return the state written in `text`; blanks between the digits are ignored. Raise like the class itself."""
        return cls("".join(text.split()), puzzle or Puzzle())

    def __repr__(self) -> str:
        return f"State({self.text!r})" if self.puzzle == Puzzle() else f"State({self.text!r}, {self.puzzle!r})"

    def __str__(self) -> str:
        return self.text

    @property
    def is_solved(self) -> bool:
        """True if each ring holds only its own colour."""
        return self == self.puzzle.solved

    def bead(self, ring: int, place: int) -> int:
        """Return the colour of the bead at a place of a ring."""
        return int(self.text[self.puzzle.beads * ring + place])

    def after(self, moves: Iterable[int]) -> "State":
        """Return the state after some clicks."""
        text = self.text
        for move in moves:
            text = "".join([text[source] for source in self.puzzle.sources(move)])
        return State(text, self.puzzle)

    def image(self, symmetry: Symmetry) -> "State":
        """Return the symmetric state: it is solved by the symmetric clicks."""
        beads = [""] * len(self.text)
        for position, digit in enumerate(self.text):
            beads[symmetry.positions[position]] = str(symmetry.colours[int(digit)])
        return State("".join(beads), self.puzzle)

    def canonical(self) -> "State":
        """Return the least, as text, of the symmetric states: equal for all of them."""
        return min((self.image(symmetry) for symmetry in self.puzzle.symmetries()), key=lambda state: state.text)

    def drawn(self) -> str:
        """Return the state drawn in text, a ring a line: beads on the disc, then those off it; a star marks misplaced ones."""
        places = self.puzzle.places
        free = [place for place in range(self.puzzle.beads) if place not in places]
        head = f"{'':8}{'disc':<{3 * len(places)}}  off the disc".rstrip()
        lines = [head]
        for ring in range(self.puzzle.rings):
            on, off = (
                " ".join(f"{self.bead(ring, place)}{' ' if self.bead(ring, place) == ring else '*'}" for place in group)
                for group in (places, free)
            )
            lines.append(f"ring {ring + 1:<2} {on}   {off}".rstrip())
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        from engine.rings.svg import drawing  # noqa: PLC0415  # the drawing module imports this one

        return drawing(self)


@cache
def _sources(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    table = []
    for move in range(puzzle.move_count):
        ring, step = move >> 1, 1 if move & 1 else -1
        row = list(range(puzzle.positions))
        for position in range(puzzle.positions):
            at, place = divmod(position, puzzle.beads)
            if ring == puzzle.rings and place in puzzle.places:
                row[position] = (at + step) % puzzle.rings * puzzle.beads + place
            elif at == ring:
                row[position] = at * puzzle.beads + (place + step) % puzzle.beads
        table.append(tuple(row))
    return tuple(table)


@cache
def _symmetries(puzzle: Puzzle) -> tuple[Symmetry, ...]:
    rings, beads = puzzle.rings, puzzle.beads
    flips = [c for c in range(beads) if {(c - place) % beads for place in puzzle.places} == set(puzzle.places)]
    found: dict[tuple[int, ...], Symmetry] = {}
    for mirrored in (False, True):
        flip = flips[-1] if mirrored and flips else None
        for turn in range(rings):
            ring_to = [(turn - ring if mirrored else turn + ring) % rings for ring in range(rings)]
            place_to = [place if flip is None else (flip - place) % beads for place in range(beads)]
            positions = tuple(ring_to[r] * beads + place_to[p] for r in range(rings) for p in range(beads))
            moves = [2 * ring_to[m >> 1] + (m & 1 ^ (flip is not None)) for m in range(2 * rings)]
            moves += [2 * rings + (k ^ mirrored) for k in (0, 1)]
            found.setdefault(positions, Symmetry(positions, tuple(ring_to), tuple(moves)))
    return tuple(found.values())
