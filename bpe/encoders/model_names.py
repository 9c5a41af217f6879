"""From the name of a model to its encoding, however the name is spelled."""

import re
from fnmatch import fnmatchcase

from bpe.encoders import catalog
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.model_tokenizers import TABLE, ModelTokenizer, published, tokenizer_of
from bpe.errors import BPEError
from bpe.text.unicode import text_only

_SPELLINGS = {
    "qwen2-* qwen2.5-* qwen-2.5-*": "qwen3",
    "deepseek-coder-v3* deepseek-v3.*": "deepseek_v3",
    "meta-llama-3* llama-3.* llama3*": "llama3",
    "llama2*": "llama2",
    "mistral-7b-instruct-v0.3": "mistral_v2",
    "mistral-7b-*v0.[12]": "mistral_v1",
    "gpt2* distilgpt2": "gpt2",
}
"""What models are called that neither the price list nor the catalogue names in this way."""


def encoding_name_of(model: str) -> str | None:
    """Return the encoding of a model, checked or assumed; ``None`` where it is not known.

    >>> encoding_name_of("gpt-5"), encoding_name_of("Qwen/Qwen2.5-7B"), encoding_name_of("claude-3")
    ('o200k_base', 'qwen3', None)
    """
    known = known_tokenizer(model)
    return None if known is None else known.tokenizer


def known_tokenizer(model: str) -> ModelTokenizer | None:
    """Return what a model is counted with, and how sure that is; ``None`` of unknown names.

    ``model`` is its name at the vendor, on the Hub or in :func:`bpe.encodings`, with or without
    the owner in front, dated or fine-tuned (``ft:gpt-4o:mine``); or an encoding's own name.
    """
    name = re.sub(r"[\s_]+", "-", model.strip().lower())
    if name.startswith("ft:"):
        name = name.split(":")[1]
    owner, _, ref = name.rpartition("/")
    ref = ref.replace("gpt-35", "gpt-3.5")
    for entry in catalog.encodings():
        if ref == entry.name.replace("_", "-"):
            return published(entry.name)
    if any(provider == owner for provider, _, _ in TABLE):
        return tokenizer_of(owner, ref)
    for _, patterns, tokenizer in TABLE:
        if any(pattern != "*" and fnmatchcase(ref, pattern) for pattern in patterns.split()):
            return tokenizer
    if "-distill-" in ref:  # which have the vocabulary of the smaller model
        return None
    for patterns, encoding in _SPELLINGS.items():
        if any(fnmatchcase(ref, pattern) for pattern in patterns.split()):
            return published(encoding)
    listed = {
        label.lower().replace(" ", "-"): entry.name
        for entry in catalog.encodings()
        for label in entry.models
    }
    fitting = [label for label in listed if ref == label or ref.startswith(f"{label}-")]
    return published(listed[max(fitting, key=len)]) if fitting else None


def nearest(name: str) -> list[str]:
    """Return names of encodings, and of models that have one, that are spelled nearly so."""
    from difflib import get_close_matches

    entries = catalog.encodings()
    labels = (label.lower().replace(" ", "-") for entry in entries for label in entry.models)
    priced = (pattern.strip("*-.") for _, patterns, _ in TABLE for pattern in patterns.split())
    names = dict.fromkeys((*(entry.name for entry in entries), *labels, *priced))
    known = [name for name in names if "*" not in name and encoding_name_of(name)]
    return get_close_matches(name.lower().rpartition("/")[2], known)


def encoding_for_model(model: str) -> BytePairEncoder | catalog.SentencePieceEncoding:
    """Return the encoder of a model, such as ``gpt-5``, ``Qwen/Qwen3-8B`` or ``ft:gpt-4o:mine``.

    A model whose tokenizer is not published, not at hand or not known raises :class:`BPEError`.
    Some are assumed to have the tokenizer of the model before them; ``bpe models`` says which.
    """
    if text_only(model) in catalog.registered_models:
        return catalog.encoding(catalog.registered_models[model])
    name = encoding_name_of(model)
    if name is not None:
        return catalog.encoding(name)
    known = ", ".join(entry.name for entry in catalog.encodings())
    if near := nearest(model):
        raise BPEError(
            "No tokenizer is at hand for the model “{model}”. Did you mean {near}? Or choose an "
            "encoding: {names}.",
            model=model,
            near=", ".join(near),
            names=known,
        )
    raise BPEError(
        "No tokenizer is at hand for the model “{model}”. Choose an encoding: {names}.",
        model=model,
        names=known,
    )
