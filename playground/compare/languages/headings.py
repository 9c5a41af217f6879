"""The headings of the metrics, each with its formula and where that comes from."""

from typing import Any

from playground.ui import tables
from playground.ui.i18n import _


def of_metrics(base: str) -> dict[str, Any]:
    """Return the heading of each column; ``base`` is the tokenizer that NSL is held against."""

    def number(label: str, help_text: str, form: str = "%.3f") -> Any:
        return tables.number(label, help=help_text, form=form)

    bytes_help = _(
        "Σ UTF-8 bytes / Σ tokens (GPT-2 and onwards). Compare tokenizers with it, not languages."
    )
    characters_help = _(
        "Σ characters / Σ tokens. Compare tokenizers with it, not languages: the same meaning "
        "takes a third of the characters in Chinese."
    )
    partial_help = _("Tokens that are not valid UTF-8 on their own / tokens. Ours.")
    renyi_help = _(
        "H_α(p) / log₂|V| with α = 2.5 and |V| the whole vocabulary, H_α = log₂(Σ p^α) / (1 − α). "
        "Zouhar et al. 2023, arXiv 2306.16842. Not for ranking: counterexamples are in arXiv "
        "2402.14614."
    )
    nsl_help = _("Σ tokens / Σ tokens of {base}. Dagan et al. 2024, arXiv 2402.01035.").format(
        base=base
    )
    return {
        "tokenizer": tables.text(_("Tokenizer"), pinned=True),
        "lossless": tables.text(
            _("Lossless"),
            help=_(
                "Whether decode(encode(x)) = x for every text, after the normal form that the "
                "tokenizer declares. Petrov et al. 2023 leave out what loses more than 10 %."
            ),
        ),
        "normalises": tables.text(
            _("Normalises"), help=_("What happens to a text before it is cut.")
        ),
        "unk": tables.text(
            _("Has UNK"), help=_("Whether some text has no tokens and becomes an unknown token.")
        ),
        "premium_micro": number(
            _("Premium, micro"),
            _("Σ|T(zh)| / Σ|T(en)| on parallel texts. Petrov et al. 2023, arXiv 2305.15425."),
        ),
        "premium_macro": number(
            _("Premium, macro"),
            _("The mean of |T(zh)| / |T(en)| over the pairs. Petrov et al. 2023; TokSuite."),
        ),
        "tokens_zh": number(_("Tokens, Chinese"), _("Σ tokens of the texts."), "localized"),
        "tokens_en": number(_("Tokens, English"), _("Σ tokens of the texts."), "localized"),
        "tokens_per_hanzi": number(
            _("Tokens per 汉字"),
            _("Σ tokens of 汉字 / Σ 汉字; a token counts for its share of 汉字 bytes. Ours."),
        ),
        "hanzi_in_window": number(
            _("Window in 汉字"), _("Context window / tokens per 汉字. Ours."), "%,.0f"
        ),
        "words_in_window": number(
            _("Window in English words"),
            _("Context window / tokens per word, punctuation left out. Ours."),
            "%,.0f",
        ),
        "hanzi_single": number(
            _("Common 汉字 as one token"),
            _("Share of the 3,755 汉字 of GB 2312 level 1 that are one token. Ours."),
            "percent",
        ),
        "bytes_per_token_zh": number(_("Bytes per token, Chinese"), bytes_help),
        "bytes_per_token_en": number(_("Bytes per token, English"), bytes_help),
        "characters_per_token_zh": number(_("Characters per token, Chinese"), characters_help),
        "characters_per_token_en": number(_("Characters per token, English"), characters_help),
        "partial_zh": number(_("Partial characters, Chinese"), partial_help, "percent"),
        "partial_en": number(_("Partial characters, English"), partial_help, "percent"),
        "fertility_en": number(
            _("Fertility, English"),
            _(
                "Σ tokens of words / words, each word with its space in front. Rust et al. 2021, "
                "arXiv 2012.15613."
            ),
        ),
        "strr_en": number(
            _("STRR, English"),
            _("Share of words that stay one token. Nayeem et al. 2025, arXiv 2510.09947."),
            "percent",
        ),
        "pcw_en": number(
            _("PCW, English"),
            _("Share of words cut into two tokens or more. Rust et al. 2021, arXiv 2012.15613."),
            "percent",
        ),
        "nsl_zh": number(_("NSL, Chinese"), nsl_help),
        "nsl_en": number(_("NSL, English"), nsl_help),
        "renyi_zh": number(_("Rényi efficiency, Chinese"), renyi_help),
        "renyi_en": number(_("Rényi efficiency, English"), renyi_help),
        "vocabulary": number(_("|V|"), _("The size of the vocabulary."), "localized"),
        "gini": number(
            _("Gini of cost"),
            _(
                "Σ|cᵢ − cⱼ| / (2n²μ) over the tokens of the same news in Simplified Chinese, "
                "Traditional Chinese and English: 0 is equal. Meister et al., TokEval."
            ),
        ),
    }
