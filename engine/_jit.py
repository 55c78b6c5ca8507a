"""The one way kernels are compiled: typed decorators over Numba with the settings every kernel shares.

`cache=True` so that a second process starts warm, `nogil=True` so that a heartbeat or a progress line can run beside a kernel,
`boundscheck=False` and `error_model="numpy"` for speed. Never `parallel=True`: an OpenMP runtime and fork() kill the child.
With NUMBA_DISABLE_JIT=1 the decorators return the plain function, so a kernel is also ordinary Python.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` as a kernel (arrays and integers in, arrays filled); its Python signature is kept for callers."""
    return cast("F", njit(cache=True, nogil=True, boundscheck=False, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Compile `function` so that its body is pasted into each kernel that calls it."""
    return cast("F", njit(inline="always", boundscheck=False, error_model="numpy")(function))


def folded(function: F) -> F:
    """Compile a small function of scalars once and let LLVM fold it into its callers.

    The same machine code as `inlined` gives, but its types are inferred once and not anew in each caller: kernels that are made of
    hundreds of such calls compile much faster.
    """
    return cast("F", njit(boundscheck=False, error_model="numpy", forceinline=True)(function))
