"""Object code as LLVM makes it, linked to one piece that runs from any address.

LLVM can link it again each time, for which a program loads 180 MB of LLVM. Here it is done once,
where kernels are compiled: of all functions those that are needed, and the constants that they
read, are laid one behind the other::

    code | code | ... | constants | ...        addresses in it count from its beginning

and :attr:`Image.addresses` lists the places where such an address is, to which who loads it adds
where it came to lie. Only what Numba's kernels consist of is taken: ELF for x86-64 with addresses
of 64 bits, without data of their own that they change, and which call nothing but each other and
:data:`IMPORTS`. Anything else raises :class:`LinkError`.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QIIq")
_ADDRESS = struct.Struct("<Q")

_MAGIC = b"\x7fELF\x02\x01\x01"
_X86_64 = 62
_TABLE, _RELOCATIONS = 2, 4  # kinds of sections
_WRITTEN, _LOADED, _RUN = 1, 2, 4  # flags of sections
_UNDEFINED, _RESERVED = 0, 0xFF00  # numbers of sections
_FUNCTION = 2
_ADDRESS_OF_64_BITS = 1
_ALIGNMENT = 64

IMPORTS = ("memset", "memcpy", "memmove", "memcmp", "bcmp")
"""Functions of the C library that LLVM makes of loops."""


class LinkError(OSError):
    """Object code has something that is not expected in a kernel."""


@dataclass(frozen=True)
class Image:
    """Linked code. All numbers count bytes from its beginning.

    ``imports`` are the places where the address of a function of the C library belongs.
    """

    code: bytes
    symbols: dict[str, int]
    addresses: list[int]
    imports: dict[str, list[int]]


class _Section(NamedTuple):
    kind: int
    flags: int
    data: bytes
    table: int  # of a section of relocations: that of the symbols
    about: int  # and the section that they are for
    item: int  # bytes of an item


class _Symbol(NamedTuple):
    name: str
    kind: int
    is_global: bool
    section: int
    offset: int
    size: int


class _Part(NamedTuple):
    """A function, or a section of constants: it is taken as a whole, or not."""

    object: int
    section: int
    start: int
    end: int


@dataclass
class _Object:
    """An object file, taken apart."""

    sections: list[_Section]
    symbols: list[_Symbol]
    relocations: dict[int, list[tuple[int, int, _Symbol, int]]] = field(default_factory=dict)
    """For each section: place, kind, symbol, and the number of bytes behind it."""


def link(objects: Sequence[bytes], wanted: Iterable[str]) -> Image:
    """Return the functions ``wanted``, and all that they need, in one piece."""
    opened = [_opened(data) for data in objects]
    defined = {
        symbol.name: (number, symbol)
        for number, one in enumerate(opened)
        for symbol in one.symbols
        if symbol.is_global and _UNDEFINED < symbol.section < _RESERVED
    }

    def target(number: int, symbol: _Symbol, behind: int) -> tuple[_Part, int]:
        if symbol.section == _UNDEFINED:
            if symbol.name not in defined:
                raise LinkError(f"A kernel calls {symbol.name}.")
            number, symbol = defined[symbol.name]
        part = _part(opened[number], number, symbol.section, symbol.offset + behind)
        return part, symbol.offset + behind - part.start

    entries: dict[str, tuple[_Part, int]] = {}
    for name in wanted:
        if name not in defined:
            raise LinkError(f"There is no {name}.")
        entries[name] = target(*defined[name], 0)
    places: dict[_Part, int] = {}
    links: list[tuple[_Part, int, _Part, int]] = []
    imported: list[tuple[_Part, int, str]] = []
    waiting = [part for part, _ in entries.values()]
    end = 0
    while waiting:
        part = waiting.pop()
        if part in places:
            continue
        places[part] = end
        end += (part.end - part.start + _ALIGNMENT - 1) & -_ALIGNMENT
        for offset, kind, symbol, behind in opened[part.object].relocations.get(part.section, ()):
            if part.start <= offset < part.end:
                if kind != _ADDRESS_OF_64_BITS:
                    raise LinkError(f"Relocations of the kind {kind} are not known here.")
                if symbol.name in IMPORTS:
                    imported.append((part, offset - part.start, symbol.name))
                    continue
                part_of_target, inside = target(part.object, symbol, behind)
                links.append((part, offset - part.start, part_of_target, inside))
                waiting.append(part_of_target)
    code = bytearray(end)
    for part, place in places.items():
        data = opened[part.object].sections[part.section].data[part.start : part.end]
        code[place : place + len(data)] = data
    addresses = []
    for part, offset, part_of_target, inside in links:
        addresses.append(places[part] + offset)
        _ADDRESS.pack_into(code, addresses[-1], places[part_of_target] + inside)
    symbols = {name: places[part] + inside for name, (part, inside) in entries.items()}
    imports: dict[str, list[int]] = {}
    for part, offset, name in imported:
        imports.setdefault(name, []).append(places[part] + offset)
    return Image(bytes(code), symbols, sorted(addresses), imports)


def _part(opened: _Object, number: int, section: int, offset: int) -> _Part:
    if section >= _RESERVED:
        raise LinkError("A kernel has data of its own.")
    flags, data = opened.sections[section].flags, opened.sections[section].data
    if not flags & _LOADED or flags & _WRITTEN:
        raise LinkError("A kernel has data of its own.")
    if not flags & _RUN:
        return _Part(number, section, 0, len(data))
    functions = sorted(
        (symbol.offset, symbol.offset + symbol.size)
        for symbol in opened.symbols
        if symbol.section == section and symbol.kind == _FUNCTION
    )
    start, end = functions[bisect_right(functions, (offset, len(data))) - 1]
    if not start <= offset < end:
        raise LinkError("A kernel calls what is no function.")
    return _Part(number, section, start, end)


def _opened(data: bytes) -> _Object:
    if data[: len(_MAGIC)] != _MAGIC or struct.unpack_from("<H", data, 18)[0] != _X86_64:
        raise LinkError("This is no object code for x86-64.")
    (first,) = struct.unpack_from("<Q", data, 40)
    size, count, _names = struct.unpack_from("<3H", data, 58)
    sections = []
    for number in range(count):
        (_, kind, flags, _, offset, length, table, about, _, item) = _SECTION.unpack_from(
            data, first + number * size
        )
        sections.append(_Section(kind, flags, data[offset : offset + length], table, about, item))
    opened = _Object(sections, [])
    for section in sections:
        if section.kind == _TABLE:
            opened.symbols = [*_symbols(section.data, sections[section.table].data)]
    for section in sections:
        if section.kind == _RELOCATIONS:
            opened.relocations[section.about] = [
                (offset, kind, opened.symbols[symbol], behind)
                for offset, kind, symbol, behind in _RELOCATION.iter_unpack(section.data)
            ]
    return opened


def _symbols(table: bytes, names: bytes) -> Iterable[_Symbol]:
    for name, info, _, section, offset, size in _SYMBOL.iter_unpack(table):
        spelled = names[name : names.index(b"\0", name)].decode()
        yield _Symbol(spelled, info & 15, info >> 4 > 0, section, offset, size)
