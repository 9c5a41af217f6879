"""From the name of a model to its encoding, however the name is spelled."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from bpe.encoders import catalog
from bpe.encoders.base import Encoder
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


_SELLERS = (
    "models|azure|azure_ai|vertex_ai|vertexai|vertex_ai_beta|bedrock|bedrock_converse|converse|"
    "openrouter|litellm|publishers|us|eu|apac|global|regional|us-gov|jp|au|ca"
)
_OWNERS = "anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|google|moonshotai|zai|minimax"
_SPELLED: tuple[tuple[str, str], ...] = (
    (r"^ft:([^:]+).*", r"\1"),  # fine-tuned at OpenAI
    (rf"^(?:{_SELLERS})[/.]", ""),
    (r"^(?:publishers/)?[\w-]+/models/", ""),
    (rf"^(?:{_OWNERS})\.", ""),  # as Bedrock writes them
    (r"(?<=[\w.])(?:-v\d+)?:\d+$", ""),  # a version at Bedrock
    (r":(?:free|beta|thinking|extended|nitro|floor|latest|exacto)$", ""),
    (r"@(?:\d{8}|latest|default)$", ""),
    (r"-latest$", ""),
    (r"[-@](?:20\d\d-?[01]\d-?[0-3]\d)$", ""),
    (r"-(?:preview|exp)-\d\d-(?:\d\d|20\d\d)$", ""),
    (r"-[01]\d-[0-3]\d$", ""),
    (r"-(?:\d{4}|\d{6})$", ""),
    (r"^((?:anthropic/)?claude-.*\d)\.(\d)", r"\1-\2"),  # as OpenRouter writes them
)
"""What names of models have around them, the outermost first, and what is left without it."""


def spellings(name: str) -> list[str]:
    """Return the names that a model's name may stand for, the most literal first, in lower case.

    >>> spellings("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0")[-1]
    'claude-sonnet-4-5'
    """
    names = [re.sub(r"[\s_]+", "-", name.strip().lower()).replace("vertex-ai", "vertex_ai")]
    changed = True
    while changed:
        changed = False
        for pattern, shorter in _SPELLED:
            stripped = re.sub(pattern, shorter, names[-1])
            if stripped and stripped != names[-1]:
                names.append(stripped)
                changed = True
    return list(dict.fromkeys(names))


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
    the owner in front, as hosts, dates and fine-tuning change it (:func:`spellings`); or an
    encoding's own name.
    """
    return next(filter(None, map(_tokenizer_of, spellings(model))), None)


def _tokenizer_of(name: str) -> ModelTokenizer | None:
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


def nearest(name: str, names: Iterable[str] | None = None) -> list[str]:
    """Return names of the same family that are spelled nearly so: of a GPT no other than GPTs.

    ``names`` are by default those of encodings, and of models that have one.
    """
    from difflib import get_close_matches  # only here: it is for mistakes

    if names is None:
        entries = catalog.encodings()
        labels = (label.lower().replace(" ", "-") for entry in entries for label in entry.models)
        priced = (pattern.strip("*-.") for _, patterns, _ in TABLE for pattern in patterns.split())
        listed = dict.fromkeys((*(entry.name for entry in entries), *labels, *priced))
        names = [each for each in listed if "*" not in each and encoding_name_of(each)]
    families: dict[str, list[str]] = {}
    for each in names:
        families.setdefault(_family(each), []).append(each)
    wanted = spellings(name)[-1].rpartition("/")[2]
    family = get_close_matches(_family(wanted), families, n=1, cutoff=0.6)
    return get_close_matches(wanted, families[family[0]], n=3, cutoff=0.6) if family else []


def _family(name: str) -> str:
    """Return the letters that a name begins with: ``"gpt"`` of ``"openai/gpt-5"``."""
    found = re.match(r"[a-z]+", name.lower().rpartition("/")[2])
    return found[0] if found else ""


def encoding_for_model(model: str) -> Encoder:
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
