"""Machine instructions that Numba has no name for, with a plain twin for runs without the compiler."""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from engine.sudoku.lanes.layout import CANDIDATES, LANES, PAIRS_UP

BYTES = 32
"""Cells that `equal_cells` and `write_band` move at once: a band and five more."""
STARTS = (0, 27, 49)
"""Where in a grid of 81 cells the 32 begin for each band: the last band must not go beyond the end."""
SKIPS = (0, 0, 5)
"""How many of those 32 lie before the band."""

if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba makes its settings at import

    def trailing_zeros(word: Any) -> int:
        """Return the index of the lowest set bit of a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def population(word: Any) -> int:
        """Return how many bits of a word are set."""
        return int(word).bit_count()

    def eight_digits_at(stack: npt.NDArray[np.uint64], at: Any, bit: int) -> int:
        """Return in which of the elements 0 to 15 of the frame at `stack[at]` a bit is set: bit i for element i."""
        frame = stack[int(at) :]
        return sum((int(frame[i]) >> bit & 1) << i for i in range(16))

    def weigh(  # noqa: PLR0917  # as the one that is compiled
        stack: npt.NDArray[np.uint64], at: Any, one: int, other: int, peers: npt.NDArray[np.uint64], cell: int
    ) -> int:
        """Return how often the pairs of elements at `one` and `other` of the frame at `stack[at]` have bits in `peers[cell]`.

        Bits that the two elements from PAIRS_UP on have as well count four times. There is room for 20 bits in `peers[cell]`.
        """
        frame = stack[int(at) :]
        total = 0
        for start in (one, other):
            for i in range(2):
                touched = int(frame[start + i]) & int(peers[cell, i])
                total += touched.bit_count() + 3 * (touched & int(frame[PAIRS_UP + i])).bit_count()
        return total

    def equal_cells(grids: npt.NDArray[np.uint8], grid: int, start: int, code: int) -> np.uint32:
        """Return which of the 32 cells from `start` on in `grids[grid]` (81 cells) hold a code: bit i for the i-th."""
        return np.uint32(sum(1 << int(i) for i in np.flatnonzero(grids[grid, start : start + BYTES] == code)))

    def write_band(words: npt.NDArray[np.uint32], lane: int, band: int, grids: npt.NDArray[np.uint8], grid: int) -> None:
        """Write the digits of a band of a solved lane into `grids[grid]`; up to five cells after bands 0 and 1 are spoilt."""
        for digit in range(9):
            word = int(words[(CANDIDATES + 3 * digit + band) * LANES + lane])
            for bit in range(27):
                if word >> bit & 1:
                    grids[grid, 27 * band + bit] = digit + 1

else:
    _BYTE = ir.IntType(8)
    _WORD = ir.IntType(32)
    _INDEX = ir.IntType(64)
    _CELLS = ir.VectorType(_BYTE, BYTES)
    _TWO = ir.VectorType(_INDEX, 2)
    _FOUR = ir.VectorType(_INDEX, 4)
    _EIGHT = ir.VectorType(_INDEX, 8)
    _WEIGHTS = 0x01010101_03030303
    """Four counts once, four three times."""
    _MARKS = ir.VectorType(ir.IntType(1), BYTES)

    def _cells_at(builder: Any, data: Any, grid: Any, start: Any) -> Any:
        """Return a pointer to 32 cells of a grid, the grids lying one behind the other."""
        offset = builder.add(builder.mul(grid, ir.Constant(_INDEX, 81)), start)
        return builder.bitcast(builder.gep(data, [offset]), _CELLS.as_pointer())

    def _frame_at(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Return a pointer to the frame that an intrinsic's first two arguments, a stack and an index, stand for."""
        return builder.gep(context.make_array(signature.args[0])(context, builder, arguments[0]).data, [arguments[1]])

    def _splat(builder: Any, value: Any, vector: Any) -> Any:
        """Return a vector with the same value in all places."""
        single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_WORD, 0))
        return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(_WORD, vector.count), [0] * vector.count))

    def _populations(builder: Any, elements: Any) -> Any:
        """Return how many bits of each of eight elements are set."""
        name = "llvm.ctpop.v8i64"
        count = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(_EIGHT, [_EIGHT]), name)
        return builder.call(count, [elements])

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

    @intrinsic
    def eight_digits_at(_context: Any, stack: Any, at: Any, _bit: Any) -> Any:
        """Return in which of the elements 0 to 15 of the frame at `stack[at]` a bit is set: bit i for element i."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = _frame_at(context, builder, signature, arguments)
            flags = _splat(builder, builder.shl(ir.Constant(_INDEX, 1), arguments[2]), _EIGHT)
            digits = ir.Constant(_INDEX, 0)
            for start in (0, 8):
                place = builder.bitcast(builder.gep(data, [ir.Constant(_INDEX, start)]), _EIGHT.as_pointer())
                marked = builder.and_(builder.load(place, align=8), flags)
                marks = builder.bitcast(builder.icmp_unsigned("!=", marked, ir.Constant(_EIGHT, [0] * 8)), _BYTE)
                digits = builder.or_(digits, builder.shl(builder.zext(marks, _INDEX), ir.Constant(_INDEX, start)))
            return digits

        return types.int64(stack, at, types.int64), generate

    @intrinsic
    def weigh(_context: Any, stack: Any, at: Any, _one: Any, _other: Any, peers: Any, _cell: Any) -> Any:
        """Return how often the pairs of elements at `one` and `other` of the frame at `stack[at]` have bits in `peers[cell]`.

        Bits that the two elements from PAIRS_UP on have as well count four times. There is room for 20 bits in `peers[cell]`.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            elements = _frame_at(context, builder, signature, arguments)
            table = context.make_array(signature.args[4])(context, builder, arguments[4]).data
            _, _, one, other, _, cell = arguments

            def two(index: Any) -> Any:
                return builder.load(builder.bitcast(builder.gep(elements, [index]), _TWO.as_pointer()), align=8)

            def join(first: Any, second: Any) -> Any:
                return builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(_WORD, 4), [0, 1, 2, 3]))

            row = builder.gep(table, [builder.mul(cell, ir.Constant(_INDEX, 4))])
            mask = builder.load(builder.bitcast(row, _FOUR.as_pointer()), align=8)
            pairs = two(ir.Constant(_INDEX, PAIRS_UP))
            touched = builder.and_(join(two(one), two(other)), mask)
            heavy = builder.and_(touched, join(pairs, pairs))
            both = builder.shuffle_vector(touched, heavy, ir.Constant(ir.VectorType(_WORD, 8), list(range(8))))
            # Eight small counts as bytes, whose weighted sum a multiplication brings to the highest byte: no byte overflows.
            counts = builder.bitcast(builder.trunc(_populations(builder, both), ir.VectorType(_BYTE, 8)), _INDEX)
            weighted = builder.mul(counts, ir.Constant(_INDEX, _WEIGHTS))
            return builder.lshr(weighted, ir.Constant(_INDEX, 56))

        return types.int64(stack, at, types.int64, types.int64, peers, types.int64), generate

    @intrinsic
    def equal_cells(_context: Any, grids: Any, _grid: Any, _start: Any, _code: Any) -> Any:
        """Return which of the 32 cells from `start` on in `grids[grid]` (81 cells) hold a code: bit i for the i-th."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            cells = builder.load(_cells_at(builder, array.data, arguments[1], arguments[2]), align=1)
            equal = builder.icmp_unsigned("==", cells, _splat(builder, builder.trunc(arguments[3], _BYTE), _CELLS))
            return builder.bitcast(equal, _WORD)

        return types.uint32(grids, types.int64, types.int64, types.int64), generate

    @intrinsic
    def write_band(_context: Any, words: Any, _lane: Any, _band: Any, grids: Any, _grid: Any) -> Any:
        """Write the digits of a band of a solved lane into `grids[grid]`; up to five cells after bands 0 and 1 are spoilt."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            memory = context.make_array(signature.args[0])(context, builder, arguments[0])
            target = context.make_array(signature.args[3])(context, builder, arguments[3])
            _, lane, band, _, grid = arguments
            last = builder.icmp_signed("==", band, ir.Constant(_INDEX, 2))
            start = builder.select(last, ir.Constant(_INDEX, STARTS[2]), builder.mul(band, ir.Constant(_INDEX, 27)))
            skip = builder.select(last, ir.Constant(_WORD, SKIPS[2]), ir.Constant(_WORD, 0))
            place = _cells_at(builder, target.data, grid, start)
            cells = builder.load(place, align=1)
            for digit in range(9):
                vector = builder.add(band, ir.Constant(_INDEX, CANDIDATES + 3 * digit))
                index = builder.add(builder.mul(vector, ir.Constant(_INDEX, LANES)), lane)
                word = builder.load(builder.gep(memory.data, [index]))
                marks = builder.bitcast(builder.shl(word, skip), _MARKS)
                cells = builder.select(marks, ir.Constant(_CELLS, [digit + 1] * BYTES), cells)
            builder.store(cells, place, align=1)

        return types.void(words, types.int64, types.int64, grids, types.int64), generate
