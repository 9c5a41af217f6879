"""Every sentence exists in Chinese and English: none missing, none stale, no gap lost."""

import ast
import re
import string
from functools import cache
from pathlib import Path

import polib
import pytest

from bpe.analysis import metrics
from bpe.errors import BPEError
from bpe.pricing import all_messages
from bpe.teaching.lessons import LESSONS
from playground.compare.languages import table
from playground.learn import content
from playground.ui import frame, i18n
from playground.ui.i18n import plain
from tests.each import each

ROOT = Path(__file__).parents[2]
SOURCES = [
    ROOT / "app.py",
    *sorted((ROOT / "pages").glob("*.py")),
    *sorted((ROOT / "playground").rglob("*.py")),
    *sorted((ROOT / "bpe").rglob("*.py")),
]
RAISING = {"BPEError", "BusyError", "TooLongError", "TooLargeError", "translatable", "errors_as"}
CALLS = {"_", *RAISING}


@cache
def messages_in_code() -> dict[str, str]:
    """Message id to the place where it is used first."""
    found: dict[str, str] = dict.fromkeys(all_messages(), "bpe/pricing/messages.py")
    found |= {
        text: "bpe/teaching/lessons.toml"
        for lesson in LESSONS.values()
        for text in lesson.messages()
    }
    found |= dict.fromkeys(content.messages(), "playground/learn/lessons/lessons.toml")
    found |= dict.fromkeys(frame.words(), "playground/ui/frame/words.txt")
    for word, meaning in frame.meanings().items():
        found |= dict.fromkeys((word, meaning), "playground/ui/frame/glossary.toml")
    defined = [metrics.is_lossless, *(metric for _n, _l, metric, *_ in table.figures())]
    found |= {metrics.definition(metric): "bpe/analysis/metrics.py" for metric in defined}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _called(node) in CALLS:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.setdefault(first.value, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def gaps(text: str) -> list[str]:
    """Return the gaps with how each is written out: ``premium:.2f``."""
    return sorted(
        f"{name}!{conversion}:{spec}"
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name
    )


CATALOGUE = polib.pofile(str(ROOT / "playground" / "ui" / "zh.po"))


@pytest.mark.parametrize("code", sorted(i18n.languages().keys() - {i18n.ENGLISH}))
def test_every_message_has_a_translation_in_the_languages_that_are_offered(code):
    translated = i18n._messages(code)
    missing = {text: place for text, place in messages_in_code().items() if text not in translated}
    assert not missing


def test_a_language_without_a_name_is_not_offered_yet(tmp_path, monkeypatch):
    (tmp_path / "fr.po").write_text(
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n\nmsgid "Train"\nmsgstr ""\n'
    )
    monkeypatch.setattr(i18n, "FOLDER", tmp_path)
    i18n._header.cache_clear()
    assert i18n.languages.__wrapped__() == {"en": "English"}
    i18n._header.cache_clear()


def test_no_translation_is_stale():
    assert not [entry.msgid for entry in CATALOGUE if entry.msgid not in messages_in_code()]


def test_no_message_stands_twice():
    ids = [entry.msgid for entry in CATALOGUE]
    assert len(ids) == len(set(ids))


@each(CATALOGUE, name=lambda entry: entry.msgid)
def test_a_translation_keeps_the_gaps(entry):
    assert gaps(entry.msgid) == gaps(entry.msgstr)


@each(CATALOGUE, name=lambda entry: entry.msgid)
def test_chinese_is_typeset_as_chinese(entry):
    text = re.sub(r"`[^`]*`|\{[^}]*\}", "", entry.msgstr)
    assert not re.search(r"[\u4e00-\u9fff][,;:!?](?!\w)", text), "half-width punctuation"
    assert not re.search(r"[\u4e00-\u9fff][A-Za-z]|[A-Za-z][\u4e00-\u9fff]", text), "no space"


def test_error_messages_are_never_put_together():
    """A message built with an f-string or + cannot be translated."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        passed_on = {
            id(node)
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef) and function.name in RAISING
            for node in ast.walk(function)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and _called(node) in RAISING
                and id(node) not in passed_on
            ):
                assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno}"


@pytest.mark.parametrize(
    "typed", ["http://a.example", "HTTPS://a.example/x", "(www.a.example)", "me@a.example"]
)
def test_addresses_alone_are_divided_so_that_markdown_does_not_link_them(typed):
    shown = plain(typed)
    assert "\u2060" in shown
    assert not re.search(r"https?\\?://[-.\w]|www\.|@\w", shown, re.IGNORECASE)
    assert re.sub(r"\\([\\:])", r"\1", shown).replace("\u2060", "") == typed
    assert "\u2060" not in plain("@ a @ b http: awwww 1@")


def test_an_error_inside_another_is_translated_with_it(monkeypatch):
    monkeypatch.setattr(i18n, "language", lambda: "zh")
    inner = BPEError(
        "There is no token id {token_id} in {name}: the last is {last}.",
        token_id=7,
        name="gpt2",
        last=5,
    )
    said = i18n.sentence(BPEError("{name}: {reason}", name="a.po", reason=inner))
    assert said == "a.po：gpt2 中没有词元 ID 7，最大的 ID 是 5。"
