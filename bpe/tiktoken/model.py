"""From the name of a model to its encoding."""

from bpe.encoders.models import encoding_name_of
from bpe.tiktoken.core import NAMES, Encoding, UnknownNameError, get_encoding

_FINE_TUNED = ("ft:gpt-4", "ft:davinci-002", "ft:babbage-002")
"""Beginnings of names that tiktoken knows however they go on."""


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of a model's encoding; an unknown model raises ``KeyError``."""
    name = encoding_name_of(model_name)
    if name is None and model_name.startswith(_FINE_TUNED):
        return "cl100k_base"
    if name is None:
        raise UnknownNameError(
            "No tokenizer is at hand for the model “{model}”. Choose an encoding: {names}.",
            model=model_name,
            names=", ".join(NAMES),
        )
    return name


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding of a model; an unknown model raises ``KeyError``."""
    return get_encoding(encoding_name_for_model(model_name))
