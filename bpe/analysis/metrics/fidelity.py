"""What of a text a tokenizer keeps, and whether single tokens can be shown.

A figure of compression says little without these: an ``<unk>`` is short because it swallows text.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from bpe.analysis.metrics.compression import ratio
from bpe.analysis.segmentation import Segmentation


def partial_utf8_rate(segmentations: Iterable[Segmentation]) -> float:
    """Σ tokens that are not valid UTF-8 on their own / Σ tokens. Our own measure.

    It decides whether a view that decodes token by token shows U+FFFD.
    """
    partial = tokens = 0
    for segmentation in segmentations:
        tokens += len(segmentation)
        is_part = {piece: is_partial(piece) for piece in set(segmentation.pieces)}
        partial += sum(map(is_part.__getitem__, segmentation.pieces))
    return ratio(partial, tokens)


def is_lossless(segmentations: Iterable[Segmentation]) -> bool:
    """Whether decode(encode(x)) = x for every text x, after NFC where the tokenizer says that it
    applies it. Petrov et al. 2023 (arXiv 2305.15425) leave out what loses more than a tenth.
    """
    return all(_expected(cut) == cut.decoded for cut in segmentations if cut.source is not None)


def unknown_rate(segmentations: Iterable[Segmentation]) -> float:
    """Σ characters that do not come back / Σ characters; 0 where nothing is lost.

    Each character of x that decode(encode(x)) has fewer times is lost, whether it became
    ``<unk>`` or another character. Petrov et al. 2023 (arXiv 2305.15425) leave out tokenizers
    that lose more than a tenth.
    """
    lost = characters = 0
    for segmentation in segmentations:
        if segmentation.source is None:
            characters += segmentation.source_characters
            continue
        expected = Counter(_expected(segmentation))
        characters += expected.total()
        lost += (expected - Counter(segmentation.decoded)).total()
    return ratio(lost, characters)


def is_partial(piece: bytes) -> bool:
    """Return whether the bytes of a token are not whole characters on their own.

    >>> is_partial("中".encode()), is_partial("中".encode()[:2])
    (False, True)
    """
    try:
        piece.decode()
    except UnicodeDecodeError:
        return True
    return False


def _expected(segmentation: Segmentation) -> str:
    source = segmentation.source or ""
    return unicodedata.normalize("NFC", source) if segmentation.normal_form == "NFC" else source
