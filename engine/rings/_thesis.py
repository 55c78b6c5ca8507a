"""The kernel behind steps 2 and 3 of the thesis's method: how far each arrangement of the disc is from home."""

from typing import Any

from numpy.typing import NDArray

from engine._jit import kernel

FAR = 255


@kernel
def disc_code(beads: NDArray[Any], disc: NDArray[Any], rings: int) -> int:
    """Return the colours on the disc as one number, base `rings`."""
    code = 0
    for k in range(len(disc)):
        code = code * rings + beads[disc[k]]
    return code


@kernel
def place_on_disc(code: int, home: NDArray[Any], disc: NDArray[Any], rings: int, beads: NDArray[Any]) -> None:
    """Fill `beads` with the state whose disc has this code and whose other places are all right; the inverse of `disc_code`."""
    for place in range(len(home)):
        beads[place] = home[place]
    for k in range(len(disc) - 1, -1, -1):
        beads[disc[k]] = code % rings
        code //= rings


@kernel
def settle(  # noqa: PLR0917  # a kernel takes its arrays by position
    sources: NDArray[Any],
    costs: NDArray[Any],
    home: NDArray[Any],
    disc: NDArray[Any],
    off_disc: NDArray[Any],
    clicks: NDArray[Any],
    beads: NDArray[Any],
    after: NDArray[Any],
    rings: int,
) -> int:
    """Lower `clicks` to the least cost from each disc arrangement to one of those that have a cost at first, and that cost.

    Those without one hold FAR. Returns the largest cost. Row `b` of `sources` is a building block as a permutation, with
    `costs[b]` clicks; it is allowed where every place off the disc is right afterwards. The blocks come in inverse pairs, so
    that a path costs the same both ways.
    """
    level = 0
    largest = 0
    for code in range(len(clicks)):
        if clicks[code] != FAR:
            largest = max(largest, int(clicks[code]))
    while level <= largest:
        for code in range(len(clicks)):
            if clicks[code] != level:
                continue
            place_on_disc(code, home, disc, rings, beads)
            for block in range(len(costs)):
                allowed = True
                for k in range(len(off_disc)):
                    place = off_disc[k]
                    if beads[sources[block, place]] != home[place]:
                        allowed = False
                        break
                if not allowed:
                    continue
                for k in range(len(disc)):
                    after[disc[k]] = beads[sources[block, disc[k]]]
                reached = disc_code(after, disc, rings)
                if level + costs[block] < clicks[reached]:
                    clicks[reached] = level + costs[block]
                    largest = max(largest, level + costs[block])
        level += 1
    return largest
