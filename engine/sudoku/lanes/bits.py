"""Two machine instructions that Numba has no name for, with a plain twin for runs without the compiler."""

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba makes its settings at import

    def trailing_zeros(word: Any) -> int:
        """Return the index of the lowest set bit of a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def population(word: Any) -> int:
        """Return how many bits of a word are set."""
        return int(word).bit_count()

else:

    @intrinsic
    def trailing_zeros(_context: Any, word: Any) -> Any:
        """Return the index of the lowest set bit of an unsigned word that is not 0."""

        def generate(_codegen: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            count = builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))
            return count if word.bitwidth == 64 else builder.zext(count, ir.IntType(64))

        return types.int64(word), generate

    @intrinsic
    def population(_context: Any, word: Any) -> Any:
        """Return how many bits of an unsigned word are set."""

        def generate(_codegen: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            count = builder.ctpop(arguments[0])
            return count if word.bitwidth == 64 else builder.zext(count, ir.IntType(64))

        return types.int64(word), generate
