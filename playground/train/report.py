"""The lab report in Markdown: corpus, recipe, result, compression, time and memory."""

import time
from collections.abc import Sequence

from bpe.analysis.metrics import is_partial
from bpe.documents import samples
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground.train.corpus import Corpus, size_text
from playground.train.job import Trained
from playground.ui.i18n import _, as_code

THROUGHPUT_CHARACTERS = 200_000
"""How much of the corpus is encoded to see how fast that is."""


def markdown(trained: Trained, corpus: Corpus, name: str) -> str:
    tokenizer = trained.tokenizer
    parts = [
        f"# {as_code(name)}",
        _section(
            _("Corpus"),
            [
                (_("Name"), as_code(corpus.name)),
                (_("Documents"), f"{len(corpus.texts):,}"),
                (_("Characters"), f"{corpus.characters:,}"),
                (_("Size"), size_text(corpus.size)),
                (_("Chinese characters"), f"{corpus.hanzi / max(corpus.characters, 1):.1%}"),
                (_("Digest"), as_code(trained.corpus_digest)),
            ],
        ),
        _section(
            _("Recipe"),
            [
                (field, as_code(str(value)))
                for field, value in trained.recipe.as_json().items()
                if value not in (None, (), [])
            ],
        ),
        _section(_("Result"), _result(trained)),
        _section(_("Compression, in bytes per token"), _compression(trained, corpus.texts)),
        _section(_("Time and memory"), [*_phases(trained), *_throughput(tokenizer, corpus.texts)]),
    ]
    return "\n\n".join(parts) + "\n"


def _section(title: str, rows: Sequence[tuple[str, str]]) -> str:
    lines = [f"## {title}", "", "| | |", "|---|---|"]
    return "\n".join(lines + [f"| {name} | {value} |" for name, value in rows])


def _result(trained: Trained) -> list[tuple[str, str]]:
    tokenizer = trained.tokenizer
    specials = {token.encode() for token in tokenizer.special_tokens}
    whole = [
        data
        for data in tokenizer.token_table
        if data and data not in specials and not is_partial(data)
    ]
    longest = max(whole, key=lambda data: len(data.decode()))
    size = tokenizer.vocabulary_size
    fits = _("yes") if size <= 1 << 16 else _("no")
    return [
        (_("Vocabulary"), f"{size:,}"),
        (_("Merges"), f"{len(trained.merges):,}"),
        (_("Longest token"), as_code(readable(longest))),
        (_("Ids fit into 16 bits"), fits),
    ]


def _compression(trained: Trained, texts: Sequence[str]) -> list[tuple[str, str]]:
    rows = []
    for name, script in (
        (_("The corpus, pre-tokens with Chinese"), trained.usage and trained.usage.zh),
        (_("The corpus, other pre-tokens"), trained.usage and trained.usage.other),
    ):
        if script:
            tokens = script.symbols - int(script.made.sum())
            rows.append((name, f"{script.size / tokens:.2f}" if tokens else "–"))
    others = [
        (_("Our Chinese samples"), samples.corpus("zh")),
        (_("Our English samples"), samples.corpus("en")),
    ]
    if trained.usage is None:
        others.insert(0, (_("The corpus"), "\n".join(texts[:1000])[:THROUGHPUT_CHARACTERS]))
    for name, text in others:
        try:
            ids = trained.tokenizer.encode(text, disallowed_special=())
            rows.append((name, f"{len(text.encode()) / max(len(ids), 1):.2f}"))
        except BPEError:
            rows.append((name, _("has characters that the vocabulary does not know")))
    return rows


def _phases(trained: Trained) -> list[tuple[str, str]]:
    names = {
        "compiling": _("Compiling"),
        "counting": _("Counting words"),
        "joining": _("Gathering words"),
        "indexing": _("Indexing pairs"),
        "merging": _("Merging"),
        "fitting": _("Fitting the pieces"),
        "curves": _("Measuring the curves"),
    }
    rows = []
    for phase in trained.phases:
        text = _("{seconds:.3f} s").format(seconds=phase.seconds)
        if phase.memory is not None:
            text += " · " + _("server {size} at the most").format(size=size_text(phase.memory))
        rows.append((names.get(phase.name, phase.name), text))
    return rows


def _throughput(tokenizer: Encoder, texts: Sequence[str]) -> list[tuple[str, str]]:
    text = "\n".join(texts[:1000])[:THROUGHPUT_CHARACTERS]
    try:
        tokenizer.encode(text, disallowed_special=())  # tables are made by the first call
        began = time.perf_counter()
        tokenizer.encode(text, disallowed_special=())
    except BPEError:
        return []
    seconds = max(time.perf_counter() - began, 1e-9)
    return [(_("Encoding, second time"), f"{len(text.encode()) / seconds / 1e6:.1f} MB/s")]
