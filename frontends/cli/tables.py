"""Plain text for people: aligned columns, counts, durations, bars. No colours, so that it reads the same in a file."""

from collections.abc import Mapping, Sequence
from typing import Any


def table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return `rows` under `headings` in aligned columns, numbers to the right, nothing cut off."""
    cells = [[cell(value) for value in row] for row in rows]
    widths = [max(len(line[i]) for line in [list(headings), *cells]) for i in range(len(headings))]
    right = [bool(rows) and all(_is_number(row[i]) for row in rows if row[i] is not None) for i in range(len(headings))]
    lines = [headings, ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def pairs(values: Mapping[str, Any]) -> str:
    """Return `name  value` lines, names padded to one width."""
    width = max((len(name) for name in values), default=0)
    return "\n".join(f"{name.ljust(width)}  {cell(value)}".rstrip() for name, value in values.items())


def histogram(counts: Mapping[str, int], *, width: int = 40) -> str:
    """Return one line a key with its count and a bar; the longest bar has `width` characters."""
    most = max(counts.values(), default=0)
    names = max((len(name) for name in counts), default=0)
    digits = len(f"{most:,}")
    lines = []
    for name, count in counts.items():
        bar = "#" * max(1, round(width * count / most)) if count else ""
        lines.append(f"{name.rjust(names)}  {count:>{digits},}  {bar}".rstrip())
    return "\n".join(lines)


def cell(value: Any) -> str:
    """Return one value as people read it: thousands separated, `yes`/`no`, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:g}"
    if isinstance(value, (list, tuple)):
        return " ".join(cell(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {cell(item)}" for key, item in value.items())
    return str(value)


def duration(seconds: float) -> str:
    """Return a length of time: `0.8 s`, `42 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h"


def rate(items: float, seconds: float) -> str:
    """Return items a second (a minute, an hour where that reads better): `1,200/s`, `3.5/min`."""
    if seconds <= 0:
        return "-"
    per_second = items / seconds
    for unit, factor in (("s", 1), ("min", 60), ("h", 3600)):
        value = per_second * factor
        if value >= 1 or unit == "h":
            return f"{value:,.0f}/{unit}" if value >= 100 else f"{value:.3g}/{unit}"
    return "-"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
