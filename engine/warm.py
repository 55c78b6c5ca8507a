"""Compile all kernels and build the small tables now: `python -m engine.warm`.

Numba keeps compiled kernels on disk, so this is worth doing once after installing (an image build, before a test run):
later processes start warm, and no two processes compile the same kernel at the same time.
"""

import sys
import time
from collections.abc import Callable, Iterable

from engine import registry


def warm(names: Iterable[str] | None = None, say: Callable[[str], object] = lambda _: None) -> float:
    """Warm the kinds called `names` (all, if None), telling `say` what takes longer than a moment; return the seconds taken."""
    begin = time.perf_counter()
    for name, kind in registry.kinds().items():
        if names is not None and name not in names:
            continue
        start = time.perf_counter()
        kind.warm()
        if (seconds := time.perf_counter() - start) > 1.0:
            say(f"kernels of {name} ready ({seconds:.1f} s)")
    return time.perf_counter() - begin


def main() -> None:
    """Warm everything, reporting on stderr."""
    sys.stderr.write("Compiling kernels (only the first time takes long) ...\n")
    seconds = warm(say=lambda text: sys.stderr.write(f"  {text}\n"))
    sys.stderr.write(f"Kernels ready after {seconds:.1f} s.\n")


if __name__ == "__main__":
    main()
