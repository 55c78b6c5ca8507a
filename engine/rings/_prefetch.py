"""Asks memory for an entry before it is needed, so that a kernel need not wait for it."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

_READ, _KEEP, _DATA = 0, 3, 1
"""Arguments of LLVM's prefetch: for reading, into all levels of the cache, of data (not instructions)."""


def prefetch(array: NDArray[Any], index: Any) -> None:
    """Fetch `array[index]` into the cache, without waiting; a hint, of no other effect. As plain Python it does nothing."""


@overload(prefetch, inline="always", strict=False)
def _prefetch(array: Any, index: Any) -> Any:
    del array, index

    def prefetched(array: Any, index: Any) -> None:
        _fetch(array, index)  # type: ignore[call-arg]  # an intrinsic's first argument is the compiler's

    return prefetched


@intrinsic
def _fetch(_: Any, array: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        place = [context.cast(builder, arguments[1], signature.args[1], types.intp)]
        address = cgutils.get_item_pointer(context, builder, kind, view, place)  # type: ignore[no-untyped-call]  # numba has few
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        name = "llvm.prefetch.p0"
        known = builder.module.globals.get(name)
        instruction = known or ir.Function(builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), name)
        hints = [ir.Constant(word, value) for value in (_READ, _KEEP, _DATA)]
        builder.call(instruction, [builder.bitcast(address, byte), *hints])
        return context.get_dummy_value()

    return types.void(array, index), emit
