"""Processor instructions that Python has no words for: asking memory ahead, and choosing without a branch.

Each is an ordinary function too, which is what runs with NUMBA_DISABLE_JIT=1.
"""

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


def of_either(first: NDArray[Any], second: NDArray[Any], second_one: Any, index: Any) -> Any:
    """Return `second[index]` if `second_one` is not 0, else `first[index]`; arrays of bytes, as uint64, without a branch."""
    return (second if second_one else first)[index]


def prefetch_of_either(first: NDArray[Any], second: NDArray[Any], second_one: Any, index: Any) -> None:
    """Fetch what `of_either` would return into the cache, without waiting. As plain Python it does nothing."""


def lowest(word: Any) -> Any:
    """Return the place of the lowest bit that is set in a uint64 other than 0, as uint64."""
    return (int(word) & -int(word)).bit_length() - 1


@overload(prefetch, inline="always", strict=False)
def _prefetch(array: Any, index: Any) -> Any:
    del array, index

    def prefetched(array: Any, index: Any) -> None:
        _fetch(array, index)  # type: ignore[call-arg]  # an intrinsic's first argument is the compiler's

    return prefetched


@overload(of_either, inline="always", strict=False)
def _of_either(first: Any, second: Any, second_one: Any, index: Any) -> Any:
    del first, second, second_one, index

    def chosen(first: Any, second: Any, second_one: Any, index: Any) -> Any:
        return _load_either(first, second, second_one, index)  # type: ignore[call-arg]  # likewise

    return chosen


@overload(prefetch_of_either, inline="always", strict=False)
def _prefetch_of_either(first: Any, second: Any, second_one: Any, index: Any) -> Any:
    del first, second, second_one, index

    def prefetched(first: Any, second: Any, second_one: Any, index: Any) -> None:
        _fetch_either(first, second, second_one, index)  # type: ignore[call-arg]  # likewise

    return prefetched


@overload(lowest, inline="always", strict=False)
def _lowest(word: Any) -> Any:
    del word

    def place(word: Any) -> Any:
        return _trailing_zeros(word)  # type: ignore[call-arg]  # likewise

    return place


@intrinsic
def _fetch(_: Any, array: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        place = [context.cast(builder, arguments[1], signature.args[1], types.intp)]
        address = cgutils.get_item_pointer(context, builder, kind, view, place)  # type: ignore[no-untyped-call]  # numba has few
        return _ask(context, builder, address)

    return types.void(array, index), emit


@intrinsic
def _load_either(_: Any, first: Any, second: Any, second_one: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.load(_address(context, builder, signature, arguments)), ir.IntType(64))

    return types.uint64(first, second, second_one, index), emit


@intrinsic
def _fetch_either(_: Any, first: Any, second: Any, second_one: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _ask(context, builder, _address(context, builder, signature, arguments))

    return types.void(first, second, second_one, index), emit


@intrinsic
def _trailing_zeros(_: Any, word: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(word), emit


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    first, second = (context.make_array(signature.args[place])(context, builder, arguments[place]).data for place in (0, 1))
    second_one = builder.icmp_unsigned("!=", arguments[2], ir.Constant(arguments[2].type, 0))
    return builder.gep(builder.select(second_one, second, first), [arguments[3]])


def _ask(context: Any, builder: Any, address: Any) -> Any:
    word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
    name = "llvm.prefetch.p0"
    known = builder.module.globals.get(name)
    instruction = known or ir.Function(builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), name)
    hints = [ir.Constant(word, value) for value in (_READ, _KEEP, _DATA)]
    builder.call(instruction, [builder.bitcast(address, byte), *hints])
    return context.get_dummy_value()
