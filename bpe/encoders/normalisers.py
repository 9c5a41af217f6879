"""What is done to a text before it is split, and which characters of it each result stands for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bpe.encoders.equality import PickledAlike
from bpe.errors import library

Spans = list[tuple[int, int]]


class HuggingFaceNormaliser(PickledAlike):
    """The normalizer of a ``tokenizer.json``, as a function from text to text."""

    def __init__(self, normalizer: Mapping[str, Any]) -> None:
        tokenizers = library("tokenizers")
        self.values = normalizer
        engine = tokenizers.Tokenizer(tokenizers.models.BPE())
        values = {**json.loads(engine.to_str()), "normalizer": normalizer}
        self._engine = tokenizers.Tokenizer.from_str(json.dumps(values)).normalizer

    def __call__(self, text: str) -> str:
        normalised: str = self._engine.normalize_str(text)
        return normalised

    def spans(self, text: str) -> Spans:
        spans: Spans = self._by_character.encode(text, add_special_tokens=False).offsets
        return spans

    @cached_property
    def _by_character(self) -> Any:
        """A tokenizer that makes a token of each character, and knows where it was."""
        tokenizers = library("tokenizers")
        engine = tokenizers.Tokenizer(tokenizers.models.WordLevel({"": 0}, unk_token=""))
        engine.normalizer = self._engine
        each = tokenizers.Regex(r"(?m:.)")
        engine.pre_tokenizer = tokenizers.pre_tokenizers.Split(each, "isolated")
        return engine

    def __reduce__(self) -> tuple[Any, ...]:
        return HuggingFaceNormaliser, (self.values,)


@dataclass(frozen=True)
class Normaliser:
    """The normalisation of a recipe by its name (``"NFC"``), as a function from text to text."""

    name: str

    def __call__(self, text: str) -> str:
        from bpe.text.pretokenize import normaliser  # only here: regex takes long

        return normaliser(self.name)(text)

    def spans(self, text: str) -> Spans:
        """Return for each character of the normalised text the span of ``text`` it is made of."""
        return self._of_hugging_face.spans(text)

    @cached_property
    def _of_hugging_face(self) -> HuggingFaceNormaliser:
        steps = {
            "NFC": {"type": "NFC"},
            "NFKC": {"type": "NFKC"},
            "lowercase": {"type": "Lowercase"},
            "strip-punctuation": {
                "type": "Replace",
                "pattern": {"Regex": r"[\p{P}\p{S}]+"},
                "content": "",
            },
        }
        chosen = [steps[step] for step in self.name.split("+")]
        return HuggingFaceNormaliser({"type": "Sequence", "normalizers": chosen})
