"""Linking kernels: the linked code does what LLVM's would, and nothing unexpected is taken."""

import ctypes

import llvmlite.binding as llvm
import pytest

from bpe.compiled import loading
from bpe.compiled.loading import linked, linking
from bpe.compiled.loading.cache import Entry

pytestmark = pytest.mark.skipif(not loading.can_link, reason="kernels are Numba's own here")

TABLE = """
@squares = private constant [4 x i64] [i64 0, i64 1, i64 4, i64 9]
define i64 @square(ptr %block) {
  %number = load i64, ptr %block
  %place = getelementptr [4 x i64], ptr @squares, i64 0, i64 %number
  %found = load i64, ptr %place
  ret i64 %found
}
"""
CALLER = """
declare i64 @square(ptr)
declare ptr @memset(ptr, i32, i64)
define i64 @square_and_one(ptr %block) {
  %found = call i64 @square(ptr %block)
  %more = add i64 %found, 1
  ret i64 %more
}
define i64 @cleared(ptr %block) {
  %same = call ptr @memset(ptr %block, i32 0, i64 8)
  %found = call i64 @square(ptr %same)
  ret i64 %found
}
"""
COUNTER = """
@count = global i64 0
define i64 @counted(ptr %block) {
  %before = load i64, ptr @count
  ret i64 %before
}
"""


def compiled(assembly: str) -> bytes:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=0, reloc="default", codemodel="jitdefault", jit=True
    )
    return machine.emit_object(llvm.parse_assembly(assembly))


def called(image: linking.Image, name: str, number: int) -> int:
    """Have linked code placed as that of kernels is, and call a function of it."""
    facts = {"addresses": image.addresses, "imports": image.imports, "tables": []}
    facts["entries"] = {f"test.{name}": {"": image.symbols[name]}}
    linked.place(Entry(facts, [memoryview(image.code)]))
    entry = linked._entries.pop((f"test.{name}", ""))
    return entry(bytes(ctypes.c_int64(number)))


@pytest.mark.parametrize(
    ("name", "number", "result"), [("square", 3, 9), ("square_and_one", 3, 10), ("cleared", 3, 0)]
)
def test_linked_functions_find_their_constants_each_other_and_the_c_library(name, number, result):
    image = linking.link([compiled(TABLE), compiled(CALLER)], ["square", "square_and_one", name])
    assert called(image, name, number) == result


@pytest.mark.parametrize(
    ("assembly", "wanted", "reason"),
    [
        (COUNTER, "counted", "needs count, which is no code"),
        (TABLE, "cube", "There is no cube"),
        (CALLER, "square_and_one", "needs square"),
        (None, "square", "no object code"),
    ],
    ids=["data that changes", "missing", "missing elsewhere", "another format"],
)
def test_what_is_not_expected_in_a_kernel_is_refused(assembly, wanted, reason):
    data = b"MZ" + bytes(100) if assembly is None else compiled(assembly)
    with pytest.raises(linking.LinkError, match=reason):
        linking.link([data], [wanted])
