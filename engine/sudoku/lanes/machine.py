"""Programs over vectors of sixteen 32-bit words, written once as plain Python and run in two ways.

A program is a function that takes the memory, `memory[i]` being vector i, and uses `& | ^ ~ << >> + -` on vectors and on
non-negative integers (which stand for that number in every lane). What it returns is a tuple of vectors, of which the caller
gets one bit a lane: whether the word is not 0.

Compiled, the program runs once, at compile time, over stand-ins whose operators write LLVM instructions on `<16 x i32>`: what
comes out is straight-line vector code by construction, for whatever vector width the machine has, and needs neither Numba's
type inference nor a loop vectoriser that must be convinced, which saves seconds of compilation. With NUMBA_DISABLE_JIT=1 the
same function runs on rows of a numpy array.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import zip_longest
from typing import Any, Final, Protocol, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic

from engine.sudoku.lanes.layout import LANES

_WORD = ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, LANES)
_FLAGS = ir.IntType(LANES)
_RESULT = ir.IntType(64)

_TERNARY: Final = "llvm.x86.avx512.pternlog.d.512"
_BLEND: Final = 0xCA
"""The truth table of "a ? b : c"."""


@cache
def _has_ternary_logic() -> bool:
    """Return whether kernels are compiled for a processor with AVX-512."""
    chosen = config.CPU_FEATURES  # type: ignore[attr-defined]  # numba makes its settings at import
    if chosen is not None:
        return "+avx512f" in chosen
    if config.CPU_NAME is not None:  # type: ignore[attr-defined]  # likewise
        return False
    wide = config.ENABLE_AVX  # type: ignore[attr-defined]  # likewise
    return bool(wide and binding.get_host_cpu_features().get("avx512f", False))


class Vector(Protocol):
    """Sixteen unsigned 32-bit words; shifts and sums drop what leaves the 32 bits."""

    def __and__(self, other: Self | int, /) -> Self:
        """Return the bits set in both."""

    def __or__(self, other: Self | int, /) -> Self:
        """Return the bits set in either."""

    def __xor__(self, other: Self | int, /) -> Self:
        """Return the bits set in one of the two."""

    def __invert__(self) -> Self:
        """Return the bits not set."""

    def __add__(self, other: Self | int, /) -> Self:
        """Return the sums."""

    def __sub__(self, other: Self | int, /) -> Self:
        """Return the differences."""

    def __lshift__(self, places: int, /) -> Self:
        """Return the words moved to higher bits."""

    def __rshift__(self, places: int, /) -> Self:
        """Return the words moved to lower bits."""


class Memory(Protocol):
    """The array of lane words, read and written a vector at a time."""

    def __getitem__(self, vector: int, /) -> Any:
        """Return a vector."""

    def __setitem__(self, vector: int, value: Any, /) -> None:
        """Overwrite a vector."""


Program: TypeAlias = Callable[[Memory], tuple[Vector, ...]]


def choose(mask: int, where_set: Vector, elsewhere: Vector) -> Vector:
    """Return the bits of one vector where the mask is set, of another elsewhere."""
    if isinstance(where_set, _Emitted) and isinstance(elsewhere, _Emitted):
        return cast("Vector", where_set.blended(mask, elsewhere))
    return (where_set & mask) | (elsewhere & (mask ^ 0xFFFFFFFF))


def alternate(*strands: Iterable[None]) -> None:
    """Write independent strands of a program side by side, in turns of a few instructions (from `yield` to `yield`)."""
    for _ in zip_longest(*strands):
        pass


class _Emitted:
    """A vector that is not there yet: an LLVM value, whose operators emit the instruction."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def _operand(self, other: "_Emitted | int") -> Any:
        return other.value if isinstance(other, _Emitted) else ir.Constant(_VECTOR, [other] * LANES)

    def _emit(self, instruction: str, other: "_Emitted | int") -> "_Emitted":
        return _Emitted(self.builder, getattr(self.builder, instruction)(self.value, self._operand(other)))

    def blended(self, mask: int, other: "_Emitted") -> "_Emitted":
        """Return the bits of this vector where the mask is set, of the other elsewhere."""
        if not _has_ternary_logic():
            return (self & mask) | (other & (mask ^ 0xFFFFFFFF))
        # LLVM knows the instruction, but drops mask bits that it can prove idle and then no longer sees the pattern.
        operands = [self._operand(mask), self.value, other.value, ir.Constant(_WORD, _BLEND)]
        types_in = [_VECTOR, _VECTOR, _VECTOR, _WORD]
        known = self.builder.module.globals.get(_TERNARY)
        instruction = known or ir.Function(self.builder.module, ir.FunctionType(_VECTOR, types_in), _TERNARY)
        return _Emitted(self.builder, self.builder.call(instruction, operands))

    def __and__(self, other: "_Emitted | int") -> "_Emitted":
        return self._emit("and_", other)

    def __or__(self, other: "_Emitted | int") -> "_Emitted":
        return self._emit("or_", other)

    def __xor__(self, other: "_Emitted | int") -> "_Emitted":
        return self._emit("xor", other)

    def __invert__(self) -> "_Emitted":
        return self._emit("xor", 0xFFFFFFFF)

    def __add__(self, other: "_Emitted | int") -> "_Emitted":
        return self._emit("add", other)

    def __sub__(self, other: "_Emitted | int") -> "_Emitted":
        return self._emit("sub", other)

    def __lshift__(self, places: int) -> "_Emitted":
        return self._emit("shl", places)

    def __rshift__(self, places: int) -> "_Emitted":
        return self._emit("lshr", places)


class _EmittedMemory:
    """The memory of a program that is being compiled."""

    def __init__(self, builder: Any, pointer: Any) -> None:
        self._builder = builder
        self._vectors = builder.bitcast(pointer, _VECTOR.as_pointer())

    def _at(self, vector: int) -> Any:
        return self._builder.gep(self._vectors, [ir.Constant(ir.IntType(64), vector)], inbounds=True)

    def __getitem__(self, vector: int) -> _Emitted:
        # The workspace begins on a cache line, but a program may be run on any array.
        return _Emitted(self._builder, self._builder.load(self._at(vector), align=4))

    def __setitem__(self, vector: int, value: _Emitted) -> None:
        self._builder.store(value.value, self._at(vector), align=4)


class _Rows:
    """The memory of a program that is interpreted: vectors read do not change when the memory does."""

    def __init__(self, words: npt.NDArray[np.uint32]) -> None:
        self._rows = words.reshape(-1, LANES)

    def __getitem__(self, vector: int) -> npt.NDArray[np.uint32]:
        row: npt.NDArray[np.uint32] = self._rows[vector].copy()
        return row

    def __setitem__(self, vector: int, value: npt.NDArray[np.uint32]) -> None:
        self._rows[vector] = value


def vector_program(program: Program) -> Callable[[npt.NDArray[np.uint32]], int]:
    """Make a function of the flat word array that runs `program`, to be called from a kernel.

    It returns the flags of the program's results, 16 bits each (bit 16 * result + lane), so that there can be up to four.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba makes its settings at import

        def interpret(words: npt.NDArray[np.uint32]) -> int:
            flags = 0
            for i, result in enumerate(program(_Rows(words))):
                lanes = np.flatnonzero(np.asarray(result))
                flags |= sum(1 << int(lane) for lane in lanes) << (LANES * i)
            return flags

        return interpret

    def compile_call(_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            flags = ir.Constant(_RESULT, 0)
            for i, result in enumerate(program(_EmittedMemory(builder, array.data))):
                value = cast("_Emitted", result).value
                lanes = builder.icmp_unsigned("!=", value, ir.Constant(_VECTOR, [0] * LANES))
                wide = builder.zext(builder.bitcast(lanes, _FLAGS), _RESULT)
                flags = builder.or_(flags, builder.shl(wide, ir.Constant(_RESULT, LANES * i)))
            return flags

        return types.int64(words), generate

    compile_call.__name__ = program.__name__
    return cast("Callable[[npt.NDArray[np.uint32]], int]", intrinsic(compile_call))
