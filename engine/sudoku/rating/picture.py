"""Steps as pictures: the grid with its candidates before the step, coloured by their part in it, and arrows for links."""

from collections.abc import Iterator
from html import escape
from math import hypot

from engine.sudoku.grid import parse
from engine.sudoku.rating.explanation import Candidate, Explanation, Link, Node, Step, candidates_of, carry_out
from engine.sudoku.rating.words import Language, nested_lines

_CELL = 60
_EDGE = 24  # room for row and column numbers
_BOARD = 9 * _CELL
_MOST_CELLS = 9
_TEXT = 16  # pixels a line of the caption
_LINE = 74  # characters a line that every usual font has room for; Chinese ones count twice

# Colours that people with red-green blindness can tell apart too.
_PATTERN = "#fff3c4"  # cells of the pattern
_PLACED = "#1b7f4b"
_REMOVED = "#c62828"
_ON = "#1e66c8"
_OFF = "#e07a00"
_NESTED = "#8e3fb0"  # the arrows of nested chains
_DIGIT = "#b8860b"  # digits of the pattern in its cells
_PLAIN = "#8a8a8a"


def pictures(explanation: Explanation, language: Language = Language.ENGLISH) -> Iterator[str]:
    """Yield an SVG document for each step, in order; the caption is the step's text, numbered."""
    givens = parse(explanation.puzzle)
    digits = {cell: int(digit) for cell, digit in enumerate(givens) if digit}
    grid = candidates_of(givens)
    given = frozenset(digits)
    for number, step in enumerate(explanation.steps, start=1):
        yield _document(step, f"{number}. {step.text(language)}", language, digits, given, grid)
        carry_out(grid, step)
        if step.place:
            digits[step.place[0]] = step.place[1]


def _document(  # noqa: PLR0917  # what a picture shows
    step: Step, caption: str, language: Language, digits: dict[int, int], given: frozenset[int], grid: dict[int, set[int]]
) -> str:
    lines = [line for text in (caption, *nested_lines(step, language)) for line in _wrap(text)]
    width = _BOARD + 2 * _EDGE
    height = width + _TEXT * len(lines) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(caption)}</title>",
        '<g font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *(f'<rect x="{_left(c)}" y="{_top(c)}" width="{_CELL}" height="{_CELL}" fill="{_PATTERN}"/>' for c in _cells(step)),
        *_lines(),
        *(_digit(cell, digit, given=cell in given) for cell, digit in digits.items()),
        *_marks(step, grid),
        *_arrows(step.links),
        *(line for chain in step.nested for line in _arrows(chain.links, nested=True)),
    ]
    for i, line in enumerate(lines):
        y = width + _TEXT * (i + 1) - 8
        parts.append(f'<text x="{_EDGE}" y="{y}" font-size="13" text-anchor="start" fill="black">{escape(line)}</text>')
    return "".join(parts) + "</g></svg>\n"


def _cells(step: Step) -> set[int]:
    """Return the cells to colour: those of the pattern, of a long chain only where it begins and ends."""
    if len(step.cells) <= _MOST_CELLS:
        return set(step.cells)
    return {cell for cell, _, _ in (step.chain[:1] + step.chain[-1:])}


def _left(cell: int) -> int:
    return _EDGE + cell % 9 * _CELL


def _top(cell: int) -> int:
    return _EDGE + cell // 9 * _CELL


def _centre(candidate: Candidate) -> tuple[int, int]:
    cell, digit = candidate
    return _left(cell) + (digit - 1) % 3 * 20 + 10, _top(cell) + (digit - 1) // 3 * 20 + 10


def _lines() -> Iterator[str]:
    """The grid's lines, and the numbers of rows and columns."""
    end = _EDGE + _BOARD
    for i in range(10):
        at = _EDGE + i * _CELL
        pen = 'stroke="black" stroke-width="2.5"' if i % 3 == 0 else 'stroke="#999" stroke-width="1"'
        yield f'<path d="M{at} {_EDGE}V{end}M{_EDGE} {at}H{end}" {pen}/>'
    for i in range(9):
        at = _EDGE + i * _CELL + _CELL // 2
        yield f'<text x="{at}" y="{_EDGE - 7}" font-size="12" fill="{_PLAIN}">{i + 1}</text>'
        yield f'<text x="{_EDGE // 2 - 1}" y="{at + 4}" font-size="12" fill="{_PLAIN}">{i + 1}</text>'


def _digit(cell: int, digit: int, *, given: bool) -> str:
    weight = ' font-weight="bold"' if given else ""
    colour = "black" if given else "#444"
    return f'<text x="{_left(cell) + 30}" y="{_top(cell) + 42}" font-size="36" fill="{colour}"{weight}>{digit}</text>'


def _marks(step: Step, grid: dict[int, set[int]]) -> Iterator[str]:
    """The candidates: a square where the step removes one, a disc or ring where one is placed, on or off (black: both)."""
    states: dict[Candidate, set[bool]] = {}
    for node in _nodes(step):
        states.setdefault(node[:2], set()).add(node[2])
    removed = set(step.remove)
    for cell, marks in sorted(grid.items()):
        for digit in sorted(marks):
            x, y = _centre((cell, digit))
            state = states.get((cell, digit), set())
            disc = ring = None
            colour = "white"
            if step.place == (cell, digit):
                disc = _PLACED
            elif (cell, digit) in removed:
                disc = _REMOVED
            elif state == {True}:
                disc = _ON
            elif state:
                ring, colour = _OFF if state == {False} else _ON, _OFF if state == {False} else _ON
            elif cell in step.cells and digit in step.digits and not step.links:
                colour = _DIGIT
            else:
                colour = _PLAIN
            if (disc or ring) and len(state) > 1:
                ring = "black"
            if (cell, digit) in removed:
                yield f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" rx="2" fill="{_REMOVED}"/>'
            elif disc or ring:
                yield f'<circle cx="{x}" cy="{y}" r="9" fill="{disc or "white"}" stroke="{ring or disc}" stroke-width="1.5"/>'
            weight = "" if colour == _PLAIN else ' font-weight="bold"'
            yield f'<text x="{x}" y="{y + 4}" font-size="12" fill="{colour}"{weight}>{digit}</text>'


def _nodes(step: Step) -> Iterator[Node]:
    yield from step.chain if not step.links else ()
    for one, two in step.links:
        yield one
        yield two


def _arrows(links: tuple[Link, ...], *, nested: bool = False) -> Iterator[str]:
    """A dashed arrow where a candidate that is on makes another off, a full one where what is off leaves one that is on."""
    for (cell, digit, on), (cell2, digit2, _) in links:
        start_x, start_y = _centre((cell, digit))
        end_x, end_y = _centre((cell2, digit2))
        length = hypot(end_x - start_x, end_y - start_y)
        if length < 1:
            continue
        dx, dy = (end_x - start_x) / length, (end_y - start_y) / length
        x, y, x2, y2 = start_x + 10 * dx, start_y + 10 * dy, end_x - 12 * dx, end_y - 12 * dy
        bend = min(14.0, length / 8)
        mid_x, mid_y = (x + x2) / 2 - bend * dy, (y + y2) / 2 + bend * dx
        colour = _NESTED if nested else (_OFF if on else _ON)
        dash = ' stroke-dasharray="5 3"' if on else ""
        yield (
            f'<path d="M{x:.0f} {y:.0f}Q{mid_x:.0f} {mid_y:.0f} {x2:.0f} {y2:.0f}" fill="none" stroke="{colour}" '
            f'stroke-width="1.6" opacity="0.85"{dash}/>'
        )
        # The head points along the end of the curve.
        end = hypot(x2 - mid_x, y2 - mid_y) or 1.0
        ex, ey = (x2 - mid_x) / end, (y2 - mid_y) / end
        back_x, back_y = x2 - 4 * ex, y2 - 4 * ey
        head = [
            (x2 + 3 * ex, y2 + 3 * ey),
            (back_x - 3.5 * ey, back_y + 3.5 * ex),
            (back_x + 3.5 * ey, back_y - 3.5 * ex),
        ]
        yield f'<path d="M{" L".join(f"{px:.1f} {py:.1f}" for px, py in head)}Z" fill="{colour}"/>'


def _wrap(text: str) -> list[str]:
    """Break a caption into lines at spaces or, where there are none, anywhere."""
    lines = [""]
    room = _LINE
    for word in text.replace("、", "、 ").split(" "):
        size = sum(1 if ord(character) < 0x2E80 else 2 for character in word) + 1  # CJK begins there
        if size > room and lines[-1]:
            lines.append("")
            room = _LINE
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
        room -= size
    return lines
