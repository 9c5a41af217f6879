"""From the name of a model to its encoding."""

from bpe.encoders.model_names import encoding_name_of
from bpe.tiktoken.core import NAMES, Encoding, UnknownNameError, get_encoding


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of a model's encoding; an unknown model raises ``KeyError``."""
    if (found := encoding_name_of(model_name)) is None:
        raise UnknownNameError(
            "No tokenizer is at hand for the model “{model}”. Choose an encoding: {names}.",
            model=model_name,
            names=", ".join(NAMES),
        )
    return found


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding of a model; an unknown model raises ``KeyError``."""
    return get_encoding(encoding_name_for_model(model_name))
