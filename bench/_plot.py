"""Histograms as SVG, written by hand: no plotting library is needed for bars."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 720
HEIGHT: Final = 320
LEFT: Final = 46
RIGHT: Final = 14
TOP: Final = 62
BOTTOM: Final = 46
COLOURS: Final = ("#d55e00", "#0072b2", "#009e73", "#cc79a7")
"""From the palette of Okabe and Ito, which colour-blind readers can tell apart."""


def histogram_svg(title: str, axis: str, series: Mapping[str, Sequence[int]]) -> str:
    """Return an SVG document: for each named series of whole numbers, the share of each number, as bars in one colour.

    Empty series are left out; with none at all, the frame is drawn alone.
    """
    shown = {name: Counter(values) for name, values in series.items() if values}
    low = min((min(counts) for counts in shown.values()), default=0) // 5 * 5
    high = -(-(max((max(counts) for counts in shown.values()), default=0) + 1) // 5) * 5
    most = max((max(counts.values()) / counts.total() for counts in shown.values()), default=0.05)
    top = -(-most // 0.05) * 0.05
    step = (WIDTH - LEFT - RIGHT) / (high - low)
    bottom = HEIGHT - BOTTOM

    def x(value: float) -> float:
        return LEFT + (value - low) * step

    def y(share: float) -> float:
        return bottom - share / top * (bottom - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="18" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for tick in range(round(top / 0.05) + 1):
        at = y(tick * 0.05)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{5 * tick} %</text>')
    parts += [
        f'<text x="{x(tick + 0.5):.1f}" y="{bottom + 16}" text-anchor="middle">{tick}</text>' for tick in range(low, high, 5)
    ]
    at, row = float(LEFT), 26
    for (name, counts), colour in zip(shown.items(), COLOURS, strict=False):
        mean = sum(value * count for value, count in counts.items()) / counts.total()
        for value, count in sorted(counts.items()):
            height = y(0) - y(count / counts.total())
            parts.append(
                f'<rect x="{x(value) + 0.5:.1f}" y="{bottom - height:.1f}" width="{step - 1:.1f}" height="{height:.1f}" '
                f'fill="{colour}" fill-opacity="0.75"/>'
            )
        parts.append(f'<path d="M{x(mean + 0.5):.1f} {TOP}V{bottom}" stroke="{colour}" stroke-dasharray="4 3"/>')
        text = f"{name}: mean {mean:.1f}"
        room = 36 + 6.4 * len(text)
        if at + room > WIDTH - RIGHT and at > LEFT:
            at, row = float(LEFT), row + 16
        parts.append(f'<rect x="{at:.1f}" y="{row}" width="11" height="11" fill="{colour}"/>')
        parts.append(f'<text x="{at + 16:.1f}" y="{row + 10}">{escape(text)}</text>')
        at += room
    parts.append(f'<path d="M{LEFT} {bottom}H{WIDTH - RIGHT}" stroke="#333"/>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(axis)}</text>')
    parts.append("</g></svg>")
    return "\n".join(parts) + "\n"
