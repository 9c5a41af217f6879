"""The headings of the metrics; what each is, its docstring in the library says once for all."""

from typing import Any

from bpe.analysis import metrics
from bpe.analysis.metrics import Fertility, Premium
from playground.ui import tables
from playground.ui.i18n import _, plain, sentences_joined

METRICS: dict[str, object] = {
    "lossless": metrics.is_lossless,
    "premium_micro": Premium.micro,
    "premium_macro": Premium.macro,
    "tokens_zh": Premium.zh_tokens,
    "tokens_en": Premium.en_tokens,
    "tokens_per_hanzi": metrics.tokens_per_hanzi,
    "hanzi_in_window": metrics.effective_window,
    "words_in_window": metrics.effective_window,
    "hanzi_single": metrics.hanzi_coverage,
    "bytes_per_token_zh": metrics.bytes_per_token,
    "bytes_per_token_en": metrics.bytes_per_token,
    "characters_per_token_zh": metrics.characters_per_token,
    "characters_per_token_en": metrics.characters_per_token,
    "partial_zh": metrics.partial_utf8_rate,
    "partial_en": metrics.partial_utf8_rate,
    "fertility_en": Fertility.value,
    "strr_en": Fertility.strr,
    "pcw_en": Fertility.pcw,
    "nsl_zh": metrics.nsl,
    "nsl_en": metrics.nsl,
    "renyi_zh": metrics.renyi_efficiency,
    "renyi_en": metrics.renyi_efficiency,
    "gini": metrics.gini,
}
"""The metric of each column that has one."""


def of_metrics(base: str) -> dict[str, Any]:
    """Return the heading of each column; ``base`` is the tokenizer that NSL is held against."""

    def column(name: str, label: str, form: str = "%.3f", *, here: str = "") -> dict[str, Any]:
        meaning = _(metrics.definition(METRICS[name]))
        if here:
            meaning = sentences_joined(meaning, here)
        return {name: tables.number(label, help=meaning, form=form)}

    base_here = _("The base here is {name}.").format(name=plain(base))

    return {
        "tokenizer": tables.text(_("Tokenizer"), pinned=True),
        "lossless": tables.text(_("Lossless"), help=_(metrics.definition(METRICS["lossless"]))),
        "normalises": tables.text(
            _("Normalises"), help=_("What happens to a text before it is cut.")
        ),
        "unk": tables.text(
            _("Has UNK"), help=_("Whether some text has no tokens and becomes an unknown token.")
        ),
        **column("premium_micro", _("Premium, micro")),
        **column("premium_macro", _("Premium, macro")),
        **column("tokens_zh", _("Tokens, Chinese"), "localized"),
        **column("tokens_en", _("Tokens, English"), "localized"),
        **column("tokens_per_hanzi", _("Tokens per 汉字")),
        **column("hanzi_in_window", _("Window in 汉字"), "%,.0f"),
        **column("words_in_window", _("Window in English words"), "%,.0f"),
        **column("hanzi_single", _("Common 汉字 as one token"), "percent"),
        **column("bytes_per_token_zh", _("Bytes per token, Chinese")),
        **column("bytes_per_token_en", _("Bytes per token, English")),
        **column("characters_per_token_zh", _("Characters per token, Chinese")),
        **column("characters_per_token_en", _("Characters per token, English")),
        **column("partial_zh", _("Partial characters, Chinese"), "percent"),
        **column("partial_en", _("Partial characters, English"), "percent"),
        **column("fertility_en", _("Fertility, English")),
        **column("strr_en", _("STRR, English"), "percent"),
        **column("pcw_en", _("PCW, English"), "percent"),
        **column("nsl_zh", _("NSL, Chinese"), here=base_here),
        **column("nsl_en", _("NSL, English"), here=base_here),
        **column("renyi_zh", _("Rényi efficiency, Chinese")),
        **column("renyi_en", _("Rényi efficiency, English")),
        "vocabulary": tables.number(
            _("|V|"), help=_("The size of the vocabulary."), form="localized"
        ),
        **column(
            "gini",
            _("Gini of cost"),
            here=_("Here: the same news in Simplified Chinese, Traditional Chinese and English."),
        ),
    }
