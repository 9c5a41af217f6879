"""Where two requests part, and what a cache hit on what they share would save."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from typing import Any

from bpe.encoders.catalog import encoding
from bpe.pricing.bill import Terms, Usage, cost
from bpe.pricing.count import counted_with
from bpe.pricing.message_parts import as_json, parts_of, tools_of
from bpe.pricing.model_table import Model

_SHOWN = 60
"""Characters of a text from the place on where it parts."""


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """What two requests begin with, in ``tokens`` of text.

    They part in ``part``: the tools, or a message by its number from 1 on; ``""`` where one is the
    beginning of the other. ``before`` and ``after`` are how both go on there. ``saving`` is what
    reading the shared tokens from the cache saves on the second request, 0 where they are too few
    to be cached.
    """

    tokens: int
    part: str
    before: str
    after: str
    saving: Decimal


def shared_prefix(
    model: Model,
    first: tuple[Sequence[Mapping[str, Any]], Any],
    second: tuple[Sequence[Mapping[str, Any]], Any],
    terms: Terms | None = None,
) -> SharedPrefix:
    """Compare two requests, each as :func:`read_request` returns it: messages and tools.

    Caches begin with the tools, then come the messages in their order. Frames are left out.
    """
    encoder = encoding(counted_with(model))
    tokens, part, rests = 0, "", ("", "")
    pairs = zip(_parts(*first), _parts(*second), strict=False)
    for (name, one), (_name, other) in pairs:
        ids = encoder.encode_ordinary(one), encoder.encode_ordinary(other)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ids, strict=False)))
        tokens += same
        if one != other:
            decoded = (encoder.decode(each[same:]) for each in ids)
            part, rests = name, tuple(each[:_SHOWN] for each in decoded)  # type: ignore[assignment]
            break
    saving = Decimal(0)
    if tokens >= (model.least_cached or 0):
        plain, cached = (cost(model, Usage(tokens, n), terms).total for n in (0, tokens))
        saving = plain - cached
    return SharedPrefix(tokens, part, *rests, saving)


def _parts(messages: Sequence[Mapping[str, Any]], tools: Any) -> Iterator[tuple[str, str]]:
    """Yield what stands in a request one after the other, with its name."""
    yield "tools", "".join(map(as_json, tools_of(tools) or []))
    for number, message in enumerate(messages, start=1):
        texts = (
            part if isinstance(part, str) else as_json(part) for _kind, part in parts_of(message)
        )
        yield str(number), "\n".join([str(message.get("role", "")), *texts])
