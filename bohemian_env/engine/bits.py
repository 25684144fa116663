"""Words of 64 bits: counting their bits, and spreading them over the bytes of an array.

A set of cells or of actions is a word with a bit for each; a network wants a byte for each. Compiled, a spread is a few
vector instructions for up to 64 bytes, chosen for the processor at hand; uncompiled, it is a plain loop.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from .compiled import JIT_DISABLED, njit

Word: TypeAlias = np.uint64
"""64 bits: a set, a seed, or a number that chance draws."""

_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_BY_1, _BY_2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BY_4, _BY_8 = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@njit
def popcount(x: Word) -> int:
    """Return the number of bits set in a word; the compiler turns this pattern into one instruction."""
    x = x - ((x >> _1) & _BY_1)
    x = (x & _BY_2) + ((x >> _2) & _BY_2)
    x = (x + (x >> _4)) & _BY_4
    return np.int64((x * _BY_8) >> _56)  # type: ignore[return-value] # what int is in compiled code


def _spread_plainly(width: int) -> Callable[[Word, np.ndarray, int], None]:
    def spread(word: Word, out: np.ndarray, at: int) -> None:
        for i in range(width):
            out[at + i] = int(word) >> i & 1

    return spread


def _spread_compiled(width: int) -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def spread(typing: Any, word: Any, out: Any, at: Any) -> Any:
        fits = isinstance(out, types.Array) and out.layout == "C" and out.ndim == 1 and out.dtype.bitwidth == 8
        if not fits or word != types.uint64:
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, out, at = arguments
            data = context.make_array(signature.args[1])(context, builder, out).data
            bits = word if width == 64 else builder.trunc(word, ir.IntType(width))
            lanes = builder.bitcast(bits, ir.VectorType(ir.IntType(1), width))
            wide = ir.VectorType(ir.IntType(8), width)
            store = builder.store(
                builder.zext(lanes, wide), builder.bitcast(builder.gep(data, [at]), wide.as_pointer())
            )
            store.align = 1
            return context.get_dummy_value()

        return types.void(word, out, types.intp), generate

    return spread


_spread: Final = _spread_plainly if JIT_DISABLED else _spread_compiled
spread_64 = _spread(64)
"""``spread_64(word, out, at)`` writes the 64 bits of a word, lowest first, as bytes 0 or 1 from ``out[at]`` on.

out: int8 or uint8, 1-D, contiguous, with room for all of them, which is not checked.
"""
spread_32 = _spread(32)
"""The function for the 32 lowest bits."""
spread_16 = _spread(16)
"""The function for the 16 lowest bits."""
