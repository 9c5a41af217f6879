"""Instructions as LLVM has them, which :mod:`bpe.compiled.instructions` adds to Numba.

Vectors are LLVM's: it makes the widest instructions of the processor of them.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD, _HALF, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)


def _address(context: Any, builder: Any, array: Any, index: Any, target: Any) -> Any:
    """Return a pointer to ``target`` at ``array[index]``; both come as (type, value)."""
    (array_type, value), (index_type, number) = array, index
    structure = context.make_array(array_type)(context, builder, value)
    offset = context.cast(builder, number, index_type, types.intp)
    item = context.get_data_type(array_type.dtype)
    return builder.bitcast(
        builder.gep(structure.data, [offset], source_etype=item), target.as_pointer()
    )


def _load8(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        address = _address(context, builder, array, index, _WORD)
        return builder.load(address, align=1, typ=_WORD)

    return types.uint64(array, index), generate


def _copy16(typing_context: Any, source: Any, first: Any, target: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(_WORD, 2)
        origin, first, goal, start = zip(signature.args, arguments, strict=True)
        value = builder.load(_address(context, builder, origin, first, vector), align=1, typ=vector)
        builder.store(value, _address(context, builder, goal, start, vector), align=1)
        return context.get_dummy_value()

    return types.void(source, first, target, start), generate


def _least16(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        vector = ir.VectorType(_HALF, 16)
        address = _address(context, builder, array, index, vector)
        numbers = builder.load(address, align=1, typ=vector)
        least = builder.module.declare_intrinsic(
            "llvm.vector.reduce.umin.v16i32", (), ir.FunctionType(_HALF, [vector])
        )
        return builder.call(least, [numbers])

    return types.uint32(array, index), generate


def _among64(typing_context: Any, array: Any, index: Any, first: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(_BYTE, 32)
        array, index = zip(signature.args[:2], arguments[:2], strict=True)
        start = _address(context, builder, array, index, vector)
        first, count = (_all_lanes(builder, number, vector) for number in arguments[2:])
        bits_of_all = ir.Constant(_WORD, 0)
        for part in range(2):  # the compiler halves them where a processor compares less at once
            place = builder.gep(start, [ir.Constant(_HALF, part)], source_etype=vector)
            letters = builder.load(place, align=1, typ=vector)
            inside = builder.icmp_unsigned("<", builder.sub(letters, first), count)
            bits = builder.zext(builder.bitcast(inside, ir.IntType(32)), _WORD)
            bits_of_all = builder.or_(bits_of_all, builder.shl(bits, ir.Constant(_WORD, 32 * part)))
        return bits_of_all

    return types.uint64(array, index, types.uint64, types.uint64), generate


def _all_lanes(builder: Any, number: Any, vector: Any) -> Any:
    lanes = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(lanes, builder.trunc(number, _BYTE), ir.Constant(_HALF, 0))
    zeros = ir.Constant(ir.VectorType(_HALF, 32), [0] * 32)
    return builder.shuffle_vector(one, lanes, zeros)


def _load_at(bits: int) -> Any:
    kind = ir.IntType(bits)

    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = builder.inttoptr(arguments[0], kind.as_pointer())
            value = builder.load(pointer, align=1, typ=kind)
            return builder.zext(value, _WORD) if bits < _WORD.width else value

        return types.uint64(types.uint64), generate

    return typed


def _store4(typing_context: Any, array: Any, index: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, _ = zip(signature.args, arguments, strict=True)
        value = builder.trunc(arguments[2], _HALF)
        builder.store(value, _address(context, builder, array, index, _HALF), align=1)
        return context.get_dummy_value()

    return types.void(array, index, types.uint64), generate


def _copy_from(typing_context: Any, address: Any, array: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, first = (signature.args[1], arguments[1]), (types.int64, ir.Constant(_WORD, 0))
        target = _address(context, builder, array, first, _BYTE)
        source = builder.inttoptr(arguments[0], _BYTE.as_pointer())
        copy: Any = cgutils.raw_memcpy
        copy(builder, target, source, arguments[2], 1)
        return context.get_dummy_value()

    return types.void(types.uint64, array, types.int64), generate


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        address = _address(context, builder, array, index, _BYTE)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [address.type],
            ir.FunctionType(ir.VoidType(), [address.type, _HALF, _HALF, _HALF]),
        )
        # To be read; into the nearest cache; data.
        builder.call(fetch, [address, *(ir.Constant(_HALF, choice) for choice in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, index), generate


def _trailing_zeros(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


def _ones(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


ones: Any = intrinsic(_ones)
trailing_zeros: Any = intrinsic(_trailing_zeros)
load8: Any = intrinsic(_load8)
copy16: Any = intrinsic(_copy16)
least16: Any = intrinsic(_least16)
among64: Any = intrinsic(_among64)
prefetch: Any = intrinsic(_prefetch)
load1_at, load2_at, load4_at, load8_at = (intrinsic(_load_at(bits)) for bits in (8, 16, 32, 64))
store4: Any = intrinsic(_store4)
copy_from: Any = intrinsic(_copy_from)
