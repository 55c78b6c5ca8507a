"""Colours for beads that colour-blind readers can tell apart, and what is written in a bead.

The first five were picked from the palettes of Okabe and Ito ("Color universal design", 2008) and P. Tol (technical note
SRON/EPS/TN/09-002) as the set whose closest pair is farthest apart in CIE Lab, as people see it who lack one kind of cone;
with more than five rings pairs come closer, and the label in the bead tells.
"""

from enum import StrEnum

COLOURS = ("#E69F00", "#56B4E9", "#882255", "#332288", "#DDDDDD", "#D55E00", "#222222", "#999999", "#AA4499", "#661100")
"""One colour a digit, as `#rrggbb`."""

DARK, LIGHT = "#111111", "#ffffff"


class Labels(StrEnum):
    """What stands in a bead."""

    NUMBERS = "numbers"
    """The colour's digit, as in a state's text."""
    LETTERS = "letters"
    """A for colour 0, B for colour 1, ..."""
    NONE = "none"

    def of(self, colour: int) -> str:
        """Return the label of a colour: a digit, a letter, or nothing."""
        if self is Labels.NUMBERS:
            return str(colour)
        return chr(ord("A") + colour) if self is Labels.LETTERS else ""


def ink(background: str) -> str:
    """Return the one of dark and light that reads better on a `#rrggbb` background (contrast as WCAG 2.2 defines it)."""
    channels = [int(background[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return DARK if (luminance + 0.05) ** 2 > 1.05 * 0.05 else LIGHT
