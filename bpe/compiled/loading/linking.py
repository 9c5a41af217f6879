"""Object code as LLVM makes it, linked to one piece that runs from any address.

LLVM can link it again each time, for which a program loads 180 MB of LLVM. Here it is done once,
where kernels are compiled: code and constants of all objects are laid one behind the other::

    code | constants | code | constants | ...        addresses in it count from its beginning

and :attr:`Image.addresses` lists the places where such an address is, to which who loads it adds
where it came to lie. Only what Numba's kernels consist of is taken: ELF for x86-64 with addresses
of 64 bits, without data of their own that they change, and which call nothing but each other and
:data:`IMPORTS`. Anything else raises :class:`LinkError`.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QIIq")
_ADDRESS = struct.Struct("<Q")

_MAGIC = b"\x7fELF\x02\x01\x01"
_X86_64 = 62
_CONTENT, _TABLE, _RELOCATIONS = 1, 2, 4  # kinds of sections
_WRITTEN, _LOADED = 1, 2  # flags of sections
_ADDRESS_OF_64_BITS = 1
_ALIGNMENT = 64

IMPORTS = ("memset", "memcpy", "memmove", "memcmp", "bcmp")
"""Functions of the C library that LLVM makes of loops."""


class LinkError(OSError):
    """Object code has something that is not expected in a kernel."""


class Image(NamedTuple):
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
    table: int  # of a section of relocations: that of the symbols; of one of symbols: their names
    about: int  # the section that relocations are for


class _Symbol(NamedTuple):
    name: str
    is_global: bool
    place: int | None  # where it is linked, unless it is elsewhere


def link(objects: Sequence[bytes], wanted: Sequence[str]) -> Image:
    """Return the code of all objects, and where in it the functions ``wanted`` begin."""
    code = bytearray()
    opened = []
    for data in objects:
        sections = list(_sections(data))
        places = {}
        for number, section in enumerate(sections):
            if section.kind == _CONTENT and section.flags & (_LOADED | _WRITTEN) == _LOADED:
                code += bytes(-len(code) % _ALIGNMENT)
                places[number] = len(code)
                code += section.data
        opened.append((sections, places, _symbols(sections, places)))
    everywhere = (symbol for *_, symbols in opened for symbol in symbols if symbol.is_global)
    defined = {symbol.name: symbol.place for symbol in everywhere if symbol.place is not None}
    if missing := [name for name in wanted if name not in defined]:
        raise LinkError(f"There is no {missing[0]}.")
    image = Image(b"", {name: defined[name] for name in wanted}, [], {})
    for sections, places, symbols in opened:
        for section in sections:
            if section.kind != _RELOCATIONS or section.about not in places:
                continue
            for offset, kind, number, behind in _RELOCATION.iter_unpack(section.data):
                if kind != _ADDRESS_OF_64_BITS:
                    raise LinkError(f"Relocations of the kind {kind} are not known here.")
                place, symbol = places[section.about] + offset, symbols[number]
                target = defined.get(symbol.name) if symbol.place is None else symbol.place
                if target is not None:
                    _ADDRESS.pack_into(code, place, target + behind)
                    image.addresses.append(place)
                elif symbol.name in IMPORTS:
                    image.imports.setdefault(symbol.name, []).append(place)
                else:
                    raise LinkError(f"A kernel needs {symbol.name}, which is no code of one.")
    return image._replace(code=bytes(code))


def _sections(data: bytes) -> Iterator[_Section]:
    if data[: len(_MAGIC)] != _MAGIC or struct.unpack_from("<H", data, 18)[0] != _X86_64:
        raise LinkError("This is no object code for x86-64.")
    (first,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<2H", data, 58)
    for place in range(first, first + count * size, size):
        _, kind, flags, _, start, length, table, about, _, _ = _SECTION.unpack_from(data, place)
        yield _Section(kind, flags, data[start : start + length], table, about)


def _symbols(sections: Sequence[_Section], places: dict[int, int]) -> list[_Symbol]:
    symbols = []
    for table in (section for section in sections if section.kind == _TABLE):
        names = sections[table.table].data
        for name, info, _, section, offset, _ in _SYMBOL.iter_unpack(table.data):
            spelled = names[name : names.index(b"\0", name)].decode()
            place = places[section] + offset if section in places else None
            symbols.append(_Symbol(spelled, info >> 4 > 0, place))
    return symbols
