"""The one way kernels are compiled: typed decorators over Numba with the settings every kernel shares.

A cache on disk so that a second process starts warm, `nogil=True` so that a heartbeat or a progress line can run beside a
kernel, `boundscheck=False` and `error_model="numpy"` for speed. Never `parallel=True`: an OpenMP runtime and fork() kill the
child. With NUMBA_DISABLE_JIT=1 the decorators return the plain function, so a kernel is also ordinary Python.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile

from engine import _indices

F = TypeVar("F", bound=Callable[..., Any])

ENGINE = Path(__file__).parent

_SETTINGS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy"}
_UNCOUNTED: dict[str, Any] = {"_nrt": False}
"""No references counted: not among numba's documented settings, but what its own string functions are compiled with."""
_FORWARD: dict[str, Any] = {"pipeline_class": _indices.ForwardCompiler}


@cache
def source_stamp(folder: Path) -> str:
    """Return a hash over the Python files in and below `folder`, this one and that of the compiler's stage: 32 hex digits."""
    h = hashlib.blake2b(digest_size=16)
    for path in [*sorted(folder.rglob("*.py")), Path(__file__), Path(_indices.__file__)]:
        h.update(path.name.encode())
        h.update(path.read_bytes())
    return h.hexdigest()


class _FamilyCache(FunctionCache):
    """Numba's cache on disk, fresh only while all sources of the kernel's family are what they were.

    Numba itself looks at the one file that defines the kernel, so after a change in a function that the kernel calls from
    another file it would go on running the old machine code. Contents count, not times: a new checkout stays warm.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has few types
        folder = Path(function.__code__.co_filename).parent
        if folder.is_relative_to(ENGINE) and folder != ENGINE:
            folder = ENGINE / folder.relative_to(ENGINE).parts[0]
        self._cache_file = IndexDataCacheFile(  # type: ignore[no-untyped-call]  # likewise
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=source_stamp(folder)
        )


def kernel(function: F) -> F:
    """Compile `function` as a kernel (arrays and integers in, arrays filled); its Python signature is kept for callers.

    It must allocate nothing, which the compiler sees to: kernels do not count references to arrays. Where Numba cannot prove
    that it may leave that out, every slice handed on costs two atomic operations, a tenth of the solver's and the rater's time.
    """
    return _cached(function, njit(nogil=True, **_SETTINGS, **_UNCOUNTED)(function))


def forward_kernel(function: F) -> F:
    """Compile `function` as a kernel whose computed indices are never negative: it would read and write outside the array.

    An eighth faster than `kernel` where most of the work is to look something up. Constant indices count from the end as ever.
    """
    return _cached(function, njit(nogil=True, **_SETTINGS, **_UNCOUNTED, **_FORWARD)(function))


def scratch_kernel(function: F) -> F:
    """Compile `function` as a kernel that makes arrays of its own, once a call and not in its loops."""
    return _cached(function, njit(nogil=True, **_SETTINGS)(function))


def _cached(function: F, compiled: Any) -> F:
    if compiled is not function:  # the same object with NUMBA_DISABLE_JIT=1
        compiled._cache = _FamilyCache(function)  # noqa: SLF001  # what numba's own enable_caching() does
    return cast("F", compiled)


def inlined(function: F) -> F:
    """Compile `function` so that its body is pasted into each kernel that calls it."""
    return cast("F", njit(inline="always", **_SETTINGS)(function))


def folded(function: F) -> F:
    """Compile a small function of scalars once and let LLVM fold it into its callers.

    The same machine code as `inlined` gives, but its types are inferred once and not anew in each caller: kernels that are
    made of hundreds of such calls compile much faster.
    """
    return cast("F", njit(forceinline=True, **_SETTINGS, **_UNCOUNTED)(function))
