"""The tokens that no text produces."""

from collections import Counter
from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from bpe.analysis.reach import WHYS, Unreached
from bpe.encoders.base import Encoder
from bpe.text.readable import readable
from playground import session
from playground.compare import tokenizers
from playground.compare.vocabulary import listing
from playground.ui import charts, fields, tables
from playground.ui.i18n import _, plain

_COLOURS = [*charts.LEARNERS, charts.REFERENCE]


def show(encoders: Mapping[str, Encoder]) -> None:
    labels = {code: session.short(code) for code in encoders}
    code = fields.select(_("Vocabulary"), labels, key="reach_vocabulary")
    name, encoder = labels[code], encoders[code]
    of_each = tokenizers.each(
        encoders,
        _("Encoding every token of {name}…"),
        lambda encoder, _on_step: listing.unreached(encoder),
    )
    tokens = of_each.get(name, ())
    st.header(_("Which tokens does no text produce?"))
    st.markdown(_in_words(name, len(tokens), encoder.vocabulary_size))
    _picture(of_each)
    _list(encoder, tokens, name)


def _in_words(name: str, dead: int, size: int) -> str:
    if not dead:
        return _("Every token of {name} comes back when its own text is encoded.").format(
            name=plain(name)
        )
    return _(
        "**{dead} tokens of {name}** ({share:.1%}) do not come back when their own text is "
        "encoded: a model hardly ever sees them in training."
    ).format(dead=f"{dead:,}", name=plain(name), share=dead / size)


def _picture(of_each: Mapping[str, tuple[Unreached, ...]]) -> None:
    rows = []
    for name, tokens in of_each.items():
        counts = Counter(token.why for token in tokens)
        rows += [(name, _whys()[why], place, counts[why]) for place, why in enumerate(WHYS)]
    frame = pd.DataFrame(rows, columns=["label", "part", "order", "tokens"])
    charts.show(
        partial(charts.stacked_bars, frame, _COLOURS, charts.height(list(of_each), 150)),
        alt_text=_("Tokens that no text produces, in each vocabulary, by the reason"),
    )
    st.caption(
        _(
            "This is an upper bound: some may come out inside a longer text. Special tokens, and "
            "tokens with parts of characters, are not counted."
        )
    )


def _list(encoder: Encoder, tokens: tuple[Unreached, ...], name: str) -> None:
    frame = pd.DataFrame(
        [
            (
                token.id,
                readable(token.bytes),
                " | ".join(readable(encoder.token_bytes(part)) for part in token.becomes),
                _whys()[token.why],
            )
            for token in tokens
        ],
        columns=["id", "token", "becomes", "why"],
    )
    with st.expander(_("The tokens, and what their text becomes"), icon=":material/list:"):
        tables.show(
            frame.head(listing.LISTED),
            {
                "id": tables.number(_("Id"), form="%d", width="small"),
                "token": tables.text(_("Token"), width="medium"),
                "becomes": tables.text(_("Its text becomes"), width="medium"),
                "why": tables.text(_("Why")),
            },
            alt_text=_("The tokens that no text produces, and what their text becomes"),
            most_height=420,
        )
        tables.download(
            _("Tokens as CSV"),
            lambda: tables.as_csv(frame),
            f"{name}-unreached.csv",
            key="reach_csv",
        )


def _whys() -> dict[str, str]:
    return {
        "pattern": _("the split pattern cuts its text"),
        "merges": _("no merges lead to it"),
        "changed": _("its text is changed before"),
        "twin": _("another token has the same bytes"),
    }
