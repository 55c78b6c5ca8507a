"""Indices without a sign: elements are read and written as ever, and the machine code asks no more than it must."""

import numpy as np
import pytest

from engine._jit import forward_kernel


@pytest.mark.small
def test_elements_are_read_and_written_as_ever() -> None:
    @forward_kernel
    def move(a: np.ndarray, b: np.ndarray, i: int, j: int) -> None:
        a[i] += b[i, j]
        a[-1] = a[i + 1]

    flat, square = np.arange(5), np.arange(12).reshape(3, 4)
    move(flat, square, 2, 3)
    assert flat.tolist() == [0, 1, 13, 3, 3]


def test_no_access_asks_for_the_sign_of_its_index() -> None:
    def read(a: np.ndarray, i: int) -> int:
        return a[i]

    compiled = forward_kernel(read)
    compiled(np.arange(3), 1)
    (code,) = compiled.inspect_llvm().values()
    body = code[code.index("define") : code.index("\n}\n", code.index("define"))]
    assert "icmp slt" not in body
    assert "select" not in body
