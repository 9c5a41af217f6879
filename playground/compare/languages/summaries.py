"""What each chart says, in one sentence that is computed from its numbers."""

from collections.abc import Mapping

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
    least, most = _ends({name: figure.micro for name, figure in found.items()})
    first = _("{name} needs {premium} tokens in Chinese for each one in English.")
    text = first.format(name=plain(least), premium=_with_interval(found[least]))
    if least == most:
        return text
    cheaper = sum(figure.micro < 1 for figure in found.values())
    return sentences_joined(
        text,
        _("{name} needs {premium}.").format(name=plain(most), premium=_with_interval(found[most])),
        _("Chinese is the cheaper language with {cheaper} of {all} tokenizers.").format(
            cheaper=cheaper, all=len(found)
        ),
    )


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
    least, most = _ends({name: languages["zh"].partial for name, languages in found.items()})
    if found[most]["zh"].partial == 0:
        return _("Every token of these texts is made of whole characters, with every tokenizer.")
    text = _(
        "With {name}, {share:.1%} of the Chinese tokens are parts of characters: shown one by one "
        "they would be �."
    ).format(name=plain(most), share=found[most]["zh"].partial)
    if least == most:
        return text
    return sentences_joined(
        text,
        _("With {name} it is {share:.1%}.").format(
            name=plain(least), share=found[least]["zh"].partial
        ),
    )


def words(found: Languages) -> str:
    values = {name: languages["zh"].strr for name, languages in found.items()}
    values = {name: value for name, value in values.items() if value == value}
    if not values:
        return _("There are no Chinese words in these texts.")
    least, most = _ends(values)
    said = [
        _("{name} keeps {share:.1%} of the Chinese words as one token.").format(
            name=plain(most), share=values[most]
        )
    ]
    if least != most:
        text = _("With {name} it is {share:.1%}.")
        said.append(text.format(name=plain(least), share=values[least]))
    return sentences_joined(*said, segmenter())


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
    values = {name: value for name, value in values.items() if value == value}
    if not values:
        return _("There are no Chinese characters in these texts.")
    least, most = _ends(values)
    text = _(
        "{name} spends {value:.2f} tokens on a Chinese character; 100 tokens hold "
        "{held:.0f} of them."
    )
    said = text.format(name=plain(least), value=values[least], held=100 / values[least])
    if least == most:
        return said
    return sentences_joined(
        said,
        _("With {name} it is {value:.2f}, so 100 tokens hold {held:.0f}.").format(
            name=plain(most), value=values[most], held=100 / values[most]
        ),
    )


def coverage(found: Mapping[str, Coverage]) -> str:
    least, most = _ends({name: figure.share(1) for name, figure in found.items()})
    text = _(
        "{name} has {count} of the {all} common Chinese characters as single tokens, {share:.1%}."
    ).format(
        name=plain(most),
        count=f"{found[most].counts.get(1, 0):,}",
        all=f"{found[most].characters:,}",
        share=found[most].share(1),
    )
    if least == most:
        return text
    return sentences_joined(
        text,
        _("{name} has {count}, {share:.1%}.").format(
            name=plain(least),
            count=f"{found[least].counts.get(1, 0):,}",
            share=found[least].share(1),
        ),
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
    least, most = _ends(ratios)
    text = _(
        "For the same news, {name} needs {ratio:.2f} times as many tokens in Traditional Chinese "
        "as in Simplified."
    )
    said = text.format(name=plain(most), ratio=ratios[most])
    if least == most:
        return said
    return sentences_joined(
        said,
        _("With {name} it is {ratio:.2f} times.").format(name=plain(least), ratio=ratios[least]),
    )


def _ends(values: Mapping[str, float]) -> tuple[str, str]:
    return min(values, key=values.__getitem__), max(values, key=values.__getitem__)
