"""Why do my merges differ? A list of merges made elsewhere, held against those of this corpus."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from bpe import files
from bpe.analysis.divergence import Divergence, Pair, Reason, explain
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.files import gpt2
from bpe.text.readable import readable
from bpe.training.recipe import Recipe
from playground.train.corpus import Corpus
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.uploader import file_uploader

MOST_CHARACTERS = 5_000_000
"""Of a corpus: some twenty trainings are tried on it."""

_LAST = "merges explained last"


def section(corpus: Corpus, recipe: Recipe) -> None:
    """Draw the section; nothing of it is worked out before it is opened."""
    place = st.expander(
        _("Why do my merges differ?"),
        icon=":material/difference:",
        key="differ",
        on_change="rerun",
    )
    if not place.open:
        return
    with place:
        st.markdown(
            _(
                "Another program learned other merges from the same text? Bring its list: the "
                "first merge that differs is found, and the reason by trying out what programs "
                "do otherwise."
            )
        )
        uploaded = file_uploader(
            _("Its merges.txt, tokenizer.json or .tiktoken file"),
            (".txt", ".json", ".tiktoken"),
            key="differ_file",
            most_bytes=files.MAX_BYTES,
        )
        if uploaded is None:
            return
        try:
            found = _explained(corpus, recipe, uploaded)
        except BPEError as error:
            st.error(error_text(error))
            return
        _show(found)


def _explained(corpus: Corpus, recipe: Recipe, uploaded: Any) -> Divergence:
    """Return what was found; what was found last for the same file, corpus and recipe."""
    identity = (uploaded.file_id, corpus.digest, recipe.digest)
    last = st.session_state.get(_LAST)
    if last and last[0] == identity:
        found: Divergence = last[1]
        return found
    if corpus.characters > MOST_CHARACTERS:
        raise BPEError(
            "This corpus has {size} million characters; merges are compared on up to {most} "
            "million. Choose a part of it, and train on that part elsewhere, too.",
            size=round(corpus.characters / 1e6, 1),
            most=MOST_CHARACTERS // 10**6,
        )
    theirs = read(uploaded.getvalue(), uploaded.name)
    bar = st.progress(0.0, text=_("Trying out what may be done otherwise…"))
    found = explain(corpus.texts, recipe, theirs, on_progress=lambda share: bar.progress(share))
    bar.empty()
    st.session_state[_LAST] = (identity, found)
    return found


def read(content: bytes, name: str) -> Sequence[Pair]:
    """Return the merges in a file as pairs of byte strings."""
    if files.kind_of(content, name) == ".txt":
        return gpt2.byte_pairs(content)
    encoder: Encoder = files.loads({name: content})
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError("“{name}” holds no merges of byte-level BPE.", name=name)
    tokens = encoder.model.tokens
    return [(tokens[merge.left], tokens[merge.right]) for merge in encoder.merges]


def _show(found: Divergence) -> None:
    if found.ours is not None and found.theirs is not None:
        st.markdown(
            _("The first **{count}** merges are the same. Then:").format(count=f"{found.place:,}")
        )
        here, there = st.columns(2)
        with here:
            _pair(_("Here"), found.ours, found.our_count)
        with there:
            _pair(_("There"), found.theirs, found.their_count)
        if found.our_count is not None and found.our_count == found.their_count:
            st.caption(_("Both pairs are equally frequent: a tie."))
    else:
        st.markdown(
            _("All **{count}** merges are the same, as far as both lists go.").format(
                count=f"{found.place:,}"
            )
        )
    if found.reasons:
        reasons = "\n".join(f"- {sentence(reason)}" for reason in found.reasons)
        text = (
            _("With this, all {merges} merges are the same:")
            if found.is_explained
            else _("With this, {explained} of {merges} merges are the same; the rest it leaves:")
        ).format(explained=f"{found.explained:,}", merges=f"{found.merges:,}")
        (st.success if found.is_explained else st.warning)(f"{text}\n\n{reasons}")
        if found.also:
            st.caption(
                sentences_joined(
                    _("On this corpus that cannot be told apart from:"), *map(sentence, found.also)
                )
            )
    elif not found.is_explained:
        st.warning(_("None of the usual reasons explains it. Is it the same text?"))
    if found.lengths:
        st.info(
            sentences_joined(_("The lists are not equally long."), *map(sentence, found.lengths))
        )


def _pair(title: str, pair: Pair, count: int | None) -> None:
    shown = " + ".join(readable(part) for part in pair)
    st.metric(title, shown, width="stretch")
    if count is not None:
        st.caption(_("seen here {count} times").format(count=f"{count:,}"))


def sentence(reason: Reason) -> str:
    """Return what a reason says, in the reader's language."""
    value = plain(reason.value)
    match reason.kind:
        case "tie-break":
            rules = {
                "lexicographic": _("Of equally frequent pairs it takes the greatest in bytes."),
                "first-seen": _("Of equally frequent pairs it takes the one seen first."),
                "smallest-ids": _("Of equally frequent pairs it takes the one of smallest ids."),
            }
            return rules[reason.value]
        case "pattern":
            return _("It splits text by the pattern “{name}”.").format(name=value)
        case "normalisation":
            if reason.value == "none":
                return _("It does not normalise the text.")
            return _("It normalises the text first: {name}.").format(name=value)
        case "special-tokens":
            if not reason.value:
                return _("It has no special tokens: they are text like any other.")
            return _("It cuts out these special tokens: {tokens}").format(tokens=value)
        case "documents":
            if reason.value == "lines":
                return _("It takes each line, with its line break, for a document.")
            return _("It takes each line, without its line break, for a document.")
        case "prefix-space":
            return _("It puts a space in front of each document (add_prefix_space).")
        case "overlaps":
            ways = {
                "counted-apart": _("It counts “aaa” as one pair (a, a), not as two."),
                "merged-from-right": _("It merges from right to left, so that “aaa” is a + aa."),
                "merged-twice": _("It merges pairs that overlap: “aaa” becomes aa + aa."),
            }
            return ways[reason.value]
        case "counts":
            return _("It counts each different word once, however often it occurs.")
        case "shifted":
            return _("Its first merge is lost, as where a line is taken for the header.")
        case "min-frequency":
            return _("Its minimum frequency may be {range}.").format(range=value)
        case "size":
            return _(
                "Its size leaves room for {number} merges: do both count the 256 bytes and the "
                "special tokens?"
            ).format(number=value)
