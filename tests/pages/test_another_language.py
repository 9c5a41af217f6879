"""Another language is one ``.po`` file: a pseudo-language in brackets reaches all that is shown."""

import json
import re
import shutil

import polib
import pytest
from altair.utils import schemapi

from playground.text_pair import domain_names, sample_texts
from playground.ui import i18n

PSEUDO = "qps"
PAGES = [
    ("train", {}),
    ("train", {"picture": "replay"}),
    ("compare", {}),
    ("compare", {"view": "languages"}),
    ("compare", {"view": "vocabulary"}),
    ("cost", {}),
    ("cost", {"section": "month"}),
    ("cost", {"section": "window"}),
    ("learn", {}),
    ("learn", {"lesson": "sheet"}),
]


@pytest.fixture(autouse=True)
def charts_are_held_to_their_schema():
    with schemapi.debug_mode(True):
        yield


@pytest.fixture
def pseudo(tmp_path, monkeypatch):
    """Add a language whose sentences are the English ones in brackets."""
    catalogue = polib.pofile(str(i18n.FOLDER / "zh.po"))
    shutil.copy(i18n.FOLDER / "zh.po", tmp_path)
    catalogue.metadata = {"Language": PSEUDO, "X-Language-Name": "Pseudo"}
    for entry in catalogue:
        entry.msgstr = f"⟦{entry.msgid}⟧"
    catalogue.save(str(tmp_path / f"{PSEUDO}.po"))
    monkeypatch.setattr(i18n, "FOLDER", tmp_path)
    caches = (i18n.languages, i18n._header, i18n._messages)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def shown(app) -> list[str]:
    """Return every sentence that the elements of the page show."""
    texts = []
    for kind in ("markdown", "caption", "info", "warning", "error", "success", "header"):
        texts += [element.value for element in app.get(kind)]
    for kind in ("button", "selectbox", "multiselect", "number_input", "text_input", "toggle",
                 "slider", "metric", "expander", "button_group"):  # fmt: skip
        texts += [element.label for element in app.get(kind)]
    return texts


def test_every_sentence_of_a_page_is_in_the_third_language(pseudo, open_page):
    samples = "".join("\n".join(sample_texts(domain).values()) for domain in domain_names())
    for page, settings in PAGES:
        app = open_page(page, lang=PSEUDO, **settings)
        assert not app.exception, (page, settings)
        assert app.button_group(key="lang").options == ["Pseudo", "中文", "English"]
        untranslated = [
            text
            for text in shown(app)
            if "⟦" not in text and re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", text)
            if text not in samples
        ]
        assert untranslated == [], (page, settings)


def test_a_browser_in_the_third_language_is_answered_in_it(pseudo, open_page):
    app = open_page("learn", locale="qps-PLOC")
    assert app.title[0].value.startswith("*⟦Learn⟧")


def test_a_browser_in_no_language_of_ours_is_answered_in_english(open_page):
    assert open_page("learn", locale="fr-FR").title[0].value.startswith("*Learn:* ")


def test_the_frame_is_newer_after_each_change_of_language_and_in_each_session(open_page):
    def drawn(app) -> tuple[str, int]:
        data = [json.loads(each.proto.json) for each in app.get("bidi_component")]
        frame = next(each for each in data if "since" in each)
        return frame["lang"], frame["since"]

    app = open_page("learn", lang="zh")
    seen = [drawn(app), drawn(app.run())]
    assert seen[0] == seen[1]
    app.session_state["lang"] = "en"
    seen.append(drawn(app.run()))
    app.session_state["lang"] = "zh"
    seen += [drawn(app.run()), drawn(open_page("learn", lang="en"))]
    assert [language for language, _since in seen[1:]] == ["zh-CN", "en", "zh-CN", "en"]
    since = [since for _language, since in seen[1:]]
    assert since == sorted(set(since))
