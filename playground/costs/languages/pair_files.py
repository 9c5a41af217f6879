"""A file of pairs: one column in Chinese, one in English, the same meaning in each row."""

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from bpe import corpus
from bpe.errors import BPEError
from playground.texts import _, error_text, plain
from playground.uploads import MAX_MEGABYTES

_KEPT = "uploaded pairs"


@dataclass(frozen=True)
class PairFile:
    """The texts of a file, row by row."""

    name: str
    zh: tuple[str, ...]
    en: tuple[str, ...]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The texts of each row, Chinese first."""
        return zip(self.zh, self.en, strict=True)


def upload() -> PairFile | None:
    """Draw the upload and the choice of columns; return the pairs, or say why there are none.

    What was read outlives a visit to another section, which empties the widget.
    """
    file = st.file_uploader(
        _("A file of pairs"),
        type=["csv", "tsv", "jsonl"],
        max_upload_size=MAX_MEGABYTES,
        key="pair_file",
        help=_("A column in Chinese and one in English; each row says the same in both."),
    )
    kept: PairFile | None = st.session_state.get(_KEPT)
    if file is None:
        if kept:
            st.caption(_("Still here from before: {names}").format(names=plain(kept.name)))
        return kept
    try:
        pairs = _read(file.getvalue(), file.name, file.file_id)
    except BPEError as error:
        st.error(error_text(error))
        pairs = None
    st.session_state[_KEPT] = pairs
    return pairs


def _read(data: bytes, name: str, identity: str) -> PairFile:
    columns = list(corpus.columns(data, name))
    if len(columns) < 2:
        raise BPEError("“{name}” needs two columns, one in Chinese and one in English.", name=name)
    zh_column, en_column = _guess(columns)
    zh_column = st.selectbox(
        _("Chinese column"), columns, index=columns.index(zh_column), key=f"zh-column-{identity}"
    )
    en_column = st.selectbox(
        _("English column"), columns, index=columns.index(en_column), key=f"en-column-{identity}"
    )
    zh = corpus.read(data, name, column=zh_column).texts
    en = corpus.read(data, name, column=en_column).texts
    if len(zh) != len(en):
        raise BPEError(
            "“{name}” has {zh} Chinese and {en} English texts. Every row needs both.",
            name=name,
            zh=len(zh),
            en=len(en),
        )
    st.caption(_("{pairs} pairs").format(pairs=f"{len(zh):,}"))
    return PairFile(name, zh, en)


def _guess(columns: list[str]) -> tuple[str, str]:
    """Return the columns that are named like the two languages, or else the first two."""

    def named(*names: str) -> str | None:
        return next((c for c in columns if c.strip().lower() in names), None)

    zh = named("zh", "zh-cn", "zh_cn", "cn", "chinese", "中文", "汉语")
    en = named("en", "en-us", "en_us", "english", "英文", "英语")
    rest = [column for column in columns if column not in (zh, en)]
    zh = zh or rest.pop(0)
    return zh, en or next(column for column in [*rest, *columns] if column != zh)
