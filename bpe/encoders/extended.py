"""Byte-level vocabularies that were changed: extended by a training, or pruned.

Whatever the encoder was made of, here it is a list of merges. Training is in
:mod:`bpe.training.extend`.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence

from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.base import Encoder, TrainingRecord
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import MergeList, merge_list
from bpe.errors import BPEError


def extended(
    start: BytePairEncoder,
    merges: Sequence[Merge],
    recipe: Recipe,
    specials: Sequence[str] = (),
    corpus_digest: str = "",
    name: str = "extended",
) -> BytePairEncoder:
    """Return ``start`` with ``merges`` behind its own; all its ids stay as they are.

    ``specials`` have the ids from ``start.vocabulary_size`` on, what merges make those behind them.
    A merge may also make a token that ``start`` has, but no merge led to. ``recipe`` and
    ``corpus_digest`` say what the new merges were trained by and on.
    """
    listed = merge_list(start.model)
    size = start.vocabulary_size
    new = {token: size + at for at, token in enumerate(specials)}
    new_ids = tuple(merge.new_id for merge in merges if merge.new_id >= size)
    return BytePairEncoder(
        name,
        MergeList(
            (*listed.merges, *merges),
            byte_ids=listed.byte_ids,
            whole=listed.whole,
            others=listed.others,
        ),
        start.pattern or "none",
        special_tokens={**start.special_tokens, **new},
        added=start.added_tokens,
        normalise=start.normaliser,
        normalises=start.normalises,
        size=max([size + len(new), *(at + 1 for at in new_ids)]),
        training=TrainingRecord(
            recipe, corpus_digest, tuple(merges), new_ids=new_ids, start=start.identity
        ),
    )


def prune(
    encoder: Encoder, counts: Mapping[int, int], size: int
) -> tuple[BytePairEncoder, dict[int, int]]:
    """Return ``encoder`` with ``size`` tokens, and the new id of each old one that is still there.

    ``counts`` says how often each id occurs, as ``Counter(encoder.encode(text))`` does. The least
    frequent tokens go, of equals the highest id, but only leaves: a token that others are merged
    from stays while one of these does. So every text whose ids all stay has the same ids as before,
    renumbered, and what used to be a pruned token is what it was merged from. Bytes, special and
    added tokens stay.

    Raises :class:`BPEError` for what is no byte-level BPE, and for a size that is too small.
    """
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError("{name} has no merges: it was not made by BPE.", name=encoder.name)
    model = merge_list(encoder.model)
    fixed = {*model.byte_ids, *encoder.special_tokens.values(), *encoder.added_tokens.values()}
    left = {*fixed, *model.tokens}
    if not len(fixed) <= size <= len(left):
        raise BPEError(
            "{name} can be pruned to {least} to {most} tokens, not to {size}.",
            name=encoder.name,
            least=f"{len(fixed):,}",
            most=f"{len(left):,}",
            size=f"{size:,}",
        )
    parts: dict[int, list[tuple[int, int]]] = {}
    for merge in model.merges:
        parts.setdefault(merge.new_id, []).append((merge.left, merge.right))
    uses = Counter(part for pairs in parts.values() for pair in pairs for part in pair)
    leaves = [(counts.get(at, 0), -at) for at in left - fixed if not uses[at]]
    heapq.heapify(leaves)
    for _ in range(len(left) - size):
        gone = -heapq.heappop(leaves)[1]
        left.remove(gone)
        for part in [part for pair in parts.get(gone, ()) for part in pair]:
            uses[part] -= 1
            if not uses[part] and part not in fixed:
                heapq.heappush(leaves, (counts.get(part, 0), -part))
    new = {old: at for at, old in enumerate(sorted(left))}
    pruned = MergeList(
        [
            merge._replace(left=new[merge.left], right=new[merge.right], new_id=new[merge.new_id])
            for merge in model.merges
            if merge.new_id in left
        ],
        byte_ids=[new[at] for at in model.byte_ids],
        whole={data: new[at] for data, at in model.whole.items() if at in left},
        others={new[at]: data for at, data in model.others.items() if at in left},
    )
    return (
        encoder._changed(
            engine=pruned,
            special_tokens={token: new[at] for token, at in encoder.special_tokens.items()},
            added={token: new[at] for token, at in encoder.added_tokens.items()},
            size=0,
        ),
        new,
    )
