"""A tokenizer from files whose tables are cached on disk: the files are read only when need be.

Most programs encode with it and ask for nothing else. Of a byte-level BPE in a ``tokenizer.json``
(or another format that is not our own) the compiled tables and some facts are cached by a digest of
the files once it has encoded something (:mod:`bpe.encoders.cached_tables`). The next time these are
enough; merges, and the bytes of tokens, are read from the files when they are asked for.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bpe.encoders import cached_tables
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import MergeList, RankTable
from bpe.encoders.normalisers import HuggingFaceNormaliser


def encoder(
    files: Mapping[str, bytes], read: Callable[[], Encoder], *options: str | None
) -> Encoder:
    """Return the tokenizer that ``read`` makes of these files, and of nothing but the options."""
    name = cached_tables.name_of_files(files, *options)
    facts = None if name is None else cached_tables.facts(name)
    if name is not None and facts is not None and "trims" in facts:  # older ones do not say it
        cached_tables.used(name)
        return _from_facts(facts, read, name)
    made = read()
    if name is not None and type(made) is BytePairEncoder and _is_cacheable(made):
        return made.cached_as(name)
    return made


def _is_cacheable(made: BytePairEncoder) -> bool:
    """Return whether facts can say what the encoder does besides merging."""
    return made.pattern is not None and (
        made.normaliser is None or hasattr(made.normaliser, "values")
    )


def _from_facts(facts: dict[str, Any], read: Callable[[], Encoder], name: str) -> BytePairEncoder:
    def model() -> MergeList | RankTable:
        whole = read()
        assert isinstance(whole, BytePairEncoder)  # it was, when its facts were cached
        return whole.model

    normalise = None
    if facts["normaliser"] is not None:
        normalise = HuggingFaceNormaliser(facts["normaliser"])
    return BytePairEncoder(
        facts["name"],
        model,
        facts["splitter"],
        special_tokens=facts["special_tokens"],
        added=facts["added"],
        normalise=normalise,
        normalises=facts["normalises"],
        size=facts["size"],
        trims=facts["trims"],
        cached_as=name,
    )
