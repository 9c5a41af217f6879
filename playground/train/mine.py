"""Make it mine: extend the merges of a production tokenizer on the reader's own corpus.

One line in ten is held out: new tokens are learned from the others, and counted on these.
"""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis.experiments import Saved, hold_out, savings
from bpe.analysis.merge_tree import readable_merge
from bpe.analysis.segmentation import segment
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.training.extend import is_extendable
from bpe.training.train import Training
from playground import own_tokenizers, session
from playground.token_view import aligned_view
from playground.train import downloads, job
from playground.train.corpus import Corpus
from playground.train.progress_bar import TrainingBar
from playground.ui import caches, fields, frame, tables
from playground.ui.i18n import _, error_text, language
from playground.ui.state import Field

MOST = 50_000
_CODE = "own-extended"
_START = "start"
_TOKEN_BYTES = 200
"""About how much memory a token of the vocabulary takes."""


@dataclass(frozen=True)
class Mine:
    """A production tokenizer with new tokens, and what they save."""

    start: Encoder
    tokenizer: BytePairEncoder
    saved: tuple[Saved, ...]
    held_out: bool
    """Whether the lines are held out; a corpus of few lines is measured on itself."""
    new_ids: tuple[int, ...]
    sample: str
    """The line that is cut with the most tokens fewer."""


def section(corpus: Corpus) -> None:
    """Draw the section; nothing of it is worked out before it is opened."""
    place = frame.opened(
        _("Make it mine: a real model's tokenizer, with tokens for your text"),
        icon=":material/library_add:",
        key="mine",
    )
    if place is None:
        return
    with place:
        st.markdown(
            _(
                "Its text is cut as today; then pairs of its tokens are merged as pairs of bytes "
                "always were. All old ids stay, and every new token is reached by a merge "
                "(continued BPE, arXiv 2512.03989)."
            )
        )
        chosen, number, files = st.columns([3, 2, 2], vertical_alignment="bottom")
        with files.popover(_("From files"), icon=":material/upload_file:", width="stretch"):
            if new := [code for code in own_tokenizers.read_files() if _can_start(code)]:
                Field(_START, "").set(new[-1])
        with chosen:
            code = fields.select(
                _("Go on from"),
                {code: session.label(code) for code in session.codes() if _can_start(code)},
                key=_START,
                default="o200k_base",
            )
        with number:
            tokens = fields.whole(_("New tokens"), "new_tokens", 1000, least=1, most=MOST)
        try:
            mine = learn(corpus, code, session.encoder(code), tokens)
        except BPEError as error:
            st.error(error_text(error))
            return
        session.add(_CODE, mine.tokenizer)
        _result(corpus, code, mine, tokens)


def _can_start(code: str) -> bool:
    """Whether a tokenizer can be extended; those of the catalogue are not loaded for that."""
    if code in session.own():
        return code != _CODE and is_extendable(session.own()[code])
    return catalog.facts(code).kind == "byte-level BPE"


def _result(corpus: Corpus, code: str, mine: Mine, asked: int) -> None:
    tokenizer = mine.tokenizer
    new = mine.new_ids
    if not new:
        st.info(_("No new token: no pair of its tokens occurs twice in your text."))
        return
    st.markdown(_headline(mine))
    if len(new) < asked:
        st.caption(
            _("{count} new tokens: then no pair of tokens was left that occurs twice.").format(
                count=f"{len(new):,}"
            )
        )
    _savings(mine)
    if mine.sample:
        names = (session.short(code), _("with new tokens"))
        cuts = [segment(each, mine.sample) for each in (mine.start, tokenizer)]
        aligned_view(cuts, key="mine_cut", names=names)
    st.caption(
        _(
            "New ids: {first} to {last}. A model knows nothing of them until it is trained on "
            "them; behind an API the tokenizer cannot be changed."
        ).format(first=new[0], last=new[-1])
    )
    merges = tokenizer.training.merges if tokenizer.training else ()
    rows = [readable_merge(tokenizer, merge) for merge in merges]
    learned = pd.DataFrame(rows, columns=["left", "right", "new", "count", "id"])
    tables.show(
        learned[["id", "new", "left", "right", "count"]],
        {
            "id": tables.number(_("Id"), form="%d"),
            "new": tables.text(_("New token"), width=76),
            "left": tables.text(_("Left"), width=64),
            "right": tables.text(_("Right"), width=57),
            "count": tables.number(_("Seen")),
        },
        alt_text=_("The new tokens in order, with their ids, parts and counts"),
        most_height=260,
        key=f"mine_{language()}",
    )
    downloads.of_tokenizer(
        mine.tokenizer, (corpus.opening, mine.sample, *corpus.texts[:10]), "mine"
    )


def _headline(mine: Mine) -> str:
    before, after = (sum(getattr(row, name) for row in mine.saved) for name in ("before", "after"))
    text = (
        _("On lines held out, **{count} new tokens** save **{share:.1%}**: {before} → {after}.")
        if mine.held_out
        else _(
            "On the text they were learned from (fewer than ten lines, so none is held out), "
            "**{count} new tokens** save **{share:.1%}**: {before} → {after}."
        )
    )
    return text.format(
        count=f"{len(mine.new_ids):,}",
        share=1 - after / max(before, 1),
        before=f"{before:,}",
        after=f"{after:,}",
    )


def _savings(mine: Mine) -> None:
    with st.columns([1, 2])[0]:
        price = fields.amount(
            _("Dollars for a million tokens"), "mine_price", most=1000.0, step=0.1, empty="1.00"
        )
    each = 1.0 if price is None else price
    names = {"zh": _("Chinese lines"), "other": _("Other lines")}
    tables.show_rows(
        mine.saved,
        {
            "text": (tables.text(_("Text")), lambda row: names[row.kind]),
            "before": (tables.number(_("Tokens before")), lambda row: row.before),
            "after": (tables.number(_("After")), lambda row: row.after),
            "saved": (
                tables.number(_("Saved"), form="percent"),
                lambda row: 1 - row.after / row.before,
            ),
        },
        alt_text=_("Tokens before and after, by kind of line"),
        key=f"mine_saved_{language()}",
    )
    costs = [
        _("{lines}, a million characters: {before} → {after}").format(
            lines=names[row.kind],
            before=_dollars(row.before / row.characters * each),
            after=_dollars(row.after / row.characters * each),
        )
        for row in mine.saved
    ]
    st.caption("  \n".join(costs))


def _dollars(amount: float) -> str:
    """Return an amount for Markdown, which takes what stands between two dollars for TeX."""
    return f"\\${amount:.3f}"


def learn(corpus: Corpus, code: str, start: Encoder, tokens: int) -> Mine:
    """Return ``start`` with new tokens of the corpus, cached in the session."""
    return caches.cached(
        ("extended", corpus.digest, code, tokens),
        lambda: _learn(corpus, start, tokens),
        memory=start.vocabulary_size * _TOKEN_BYTES,
        of=(start,),
    )


def _learn(corpus: Corpus, start: Encoder, tokens: int) -> Mine:
    train, held = hold_out(corpus.texts)
    bar = TrainingBar()
    with job.turn(2 * sum(map(len, train)), bar):
        training = Training(
            train,
            Recipe(merges=tokens, min_frequency=2),
            start=start,
            name=f"{start.name} + {corpus.name}",
            on_progress=bar.progress,
        )
        for number, merge in enumerate(training, start=1):
            if bar.is_due():
                made = _("token {id}").format(id=merge[2])
                bar.merged(number, training.share, [made], merge.count)
        bar.measuring()
    tokenizer = training.tokenizer()
    assert isinstance(tokenizer, BytePairEncoder)  # as it has a start
    saved, sample = savings(start, tokenizer, held or train)
    bar.remove()
    assert tokenizer.training is not None  # as it was extended here
    return Mine(start, tokenizer, saved, bool(held), tokenizer.training.new_ids, sample)
