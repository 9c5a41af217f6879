"""What each chart says, in one sentence that is computed from its numbers."""

from collections.abc import Callable, Mapping

import pandas as pd

from bpe.analysis.metrics import Coverage, Premium, chinese_segmenter
from playground.compare.languages.measures import Languages, spread_frame
from playground.ui.i18n import _, plain, sentences_joined

LEAST_PAIRS = 10
"""With fewer, an interval over pairs says nothing."""


def counts(found: Mapping[str, Premium]) -> str:
    least, most = _ends({name: float(figure.zh_tokens) for name, figure in found.items()})
    if least == most:
        figure = found[least]
        return _("{name} needs {zh} tokens in Chinese and {en} in English.").format(
            name=plain(least), zh=f"{figure.zh_tokens:,}", en=f"{figure.en_tokens:,}"
        )
    ratio = found[most].zh_tokens / found[least].zh_tokens
    return _(
        "In Chinese, {least} needs {fewest} tokens and {most} {highest}, {ratio:.2f} times as many."
    ).format(
        least=plain(least),
        fewest=f"{found[least].zh_tokens:,}",
        most=plain(most),
        highest=f"{found[most].zh_tokens:,}",
        ratio=ratio,
    )


def premium(found: Mapping[str, Premium]) -> str:
    cheaper = sum(figure.micro < 1 for figure in found.values())
    return _of_ends(
        {name: figure.micro for name, figure in found.items()},
        _("{name} needs {premium} tokens in Chinese for each one in English."),
        sentences_joined(
            _("{name} needs {premium}."),
            _("With {cheaper} of {all} tokenizers Chinese needs fewer tokens here."),
        ),
        lambda name: {
            "premium": _with_interval(found[name]), "cheaper": cheaper, "all": len(found),
        },
        highest_first=False,
    )  # fmt: skip


def _with_interval(figure: Premium) -> str:
    if len(figure.counts) < LEAST_PAIRS:
        return f"{figure.micro:.2f}"
    low, high = figure.interval
    return _("{premium} (95% interval {low} to {high})").format(
        premium=f"{figure.micro:.2f}", low=f"{low:.2f}", high=f"{high:.2f}"
    )


def spread(found: Mapping[str, Premium]) -> str:
    rows = spread_frame(found).to_dict("records")
    widest = max(rows, key=lambda row: row["third"] - row["first"])
    return _(
        "With {name} the middle half of the pairs lies between {first:.2f} and {third:.2f}, and "
        "{below} of {pairs} pairs need fewer tokens in Chinese."
    ).format(
        name=plain(widest["tokenizer"]),
        first=widest["first"],
        third=widest["third"],
        below=widest["below"],
        pairs=widest["pairs"],
    )


def bytes_per_token(found: Languages) -> str:
    best = {
        language: max(found, key=lambda name: found[name][language].bytes_per_token)
        for language in ("zh", "en")
    }
    return _(
        "A token carries most with {zh} in Chinese, {zh_bytes:.2f} bytes or {characters:.2f} "
        "Chinese characters, and with {en} in English, {en_bytes:.2f} bytes. Most Chinese "
        "characters take three bytes, so compare tokenizers and not languages."
    ).format(
        zh=plain(best["zh"]),
        zh_bytes=found[best["zh"]]["zh"].bytes_per_token,
        characters=found[best["zh"]]["zh"].bytes_per_token / 3,
        en=plain(best["en"]),
        en_bytes=found[best["en"]]["en"].bytes_per_token,
    )


def partial(found: Languages) -> str:
    values = {name: languages["zh"].partial for name, languages in found.items()}
    if max(values.values()) == 0:
        return _("Every token of these texts is made of whole characters, with every tokenizer.")
    return _of_ends(
        values,
        _(
            "With {name}, {share:.1%} of the Chinese tokens are parts of characters: shown one by "
            "one they would be �."
        ),
        _("With {name} it is {share:.1%}."),
        lambda name: {"share": values[name]},
    )


def words(found: Languages) -> str:
    values = {name: languages["zh"].strr for name, languages in found.items()}
    said = _of_ends(
        values,
        _("{name} keeps {share:.1%} of the Chinese words as one token."),
        _("With {name} it is {share:.1%}."),
        lambda name: {"share": values[name]},
    )
    if not said:
        return _("There are no Chinese words in these texts.")
    return sentences_joined(said, segmenter())


def segmenter() -> str:
    return _(
        "Words are those of two characters or more in the dictionary of {segmenter}, "
        "which is of Simplified Chinese."
    ).format(segmenter=chinese_segmenter())


def limits() -> str:
    return _(
        "None of these figures predicts how good a model will be: in English the tokenizer "
        "hardly matters for that, and in other languages compression says less about it than how "
        "steeply the frequencies of tokens fall (arXiv 2506.03101)."
    )


def per_hanzi(found: Languages) -> str:
    values = {name: languages["zh"].tokens_per_hanzi for name, languages in found.items()}
    said = _of_ends(
        values,
        _(
            "{name} spends {value:.2f} tokens on a Chinese character; 100 tokens hold "
            "{held:.0f} of them."
        ),
        _("With {name} it is {value:.2f}, so 100 tokens hold {held:.0f}."),
        lambda name: {"value": values[name], "held": 100 / values[name]},
        highest_first=False,
    )
    return said or _("There are no Chinese characters in these texts.")


def coverage(found: Mapping[str, Coverage]) -> str:
    shares = {name: figure.share(1) for name, figure in found.items()}
    return _of_ends(
        shares,
        _(
            "{name} has {count} of the {all} common Chinese characters as single tokens, "
            "{share:.1%}."
        ),
        _("{name} has {count}, {share:.1%}."),
        lambda name: {
            "count": f"{found[name].counts.get(1, 0):,}",
            "all": f"{found[name].characters:,}",
            "share": shares[name],
        },
    )


def lengths(found: Languages, unit: str) -> str:
    name = next(iter(found))
    common = {}
    for language, figures in found[name].items():
        counts = figures.lengths if unit == "bytes" else figures.character_lengths
        length, count = counts.most_common(1)[0]
        common[language] = (length, count / counts.total())
    template = _(
        "With {name}, the most frequent length is {zh} in Chinese ({zh_share:.0%} of the tokens) "
        "and {en} in English ({en_share:.0%})."
    )
    return template.format(
        name=plain(name),
        zh=common["zh"][0],
        zh_share=common["zh"][1],
        en=common["en"][0],
        en_share=common["en"][1],
    )


def domains(frame: pd.DataFrame, labels: Mapping[str, str]) -> str:
    means = frame.groupby("domain")["premium"].mean()
    return _(
        "On average over these tokenizers, Chinese does best in {best} ({low:.2f}) and worst in "
        "{worst} ({high:.2f})."
    ).format(
        best=labels[str(means.idxmin())],
        low=means.min(),
        worst=labels[str(means.idxmax())],
        high=means.max(),
    )


def scripts(simplified: Mapping[str, Premium], traditional: Mapping[str, Premium]) -> str:
    ratios = {name: traditional[name].zh_tokens / simplified[name].zh_tokens for name in simplified}
    return _of_ends(
        ratios,
        _(
            "For the same news, {name} needs {ratio:.2f} times as many tokens in Traditional "
            "Chinese as in Simplified."
        ),
        _("With {name} it is {ratio:.2f} times."),
        lambda name: {"ratio": ratios[name]},
    )


def _of_ends(
    values: Mapping[str, float],
    said: str,
    other: str,
    gaps: Callable[[str], Mapping[str, object]],
    *,
    highest_first: bool = True,
) -> str:
    """Say one sentence of the highest and another of the lowest, where these are two.

    ``gaps`` are filled by name. What is no number does not count; without any, nothing is said.
    """
    known = {name: value for name, value in values.items() if value == value}
    if not known:
        return ""
    least, most = _ends(known)
    first, second = (most, least) if highest_first else (least, most)
    text = said.format(name=plain(first), **gaps(first))
    if first == second:
        return text
    return sentences_joined(text, other.format(name=plain(second), **gaps(second)))


def _ends(values: Mapping[str, float]) -> tuple[str, str]:
    return min(values, key=values.__getitem__), max(values, key=values.__getitem__)
