"""Publishing a tokenizer from a page, and opening the link in another session."""

from urllib.parse import parse_qs, urlsplit

import pytest

import bpe
from bpe.files.store import TokenizerStore
from playground import published
from tests.pages.reading import said

TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3))


@pytest.fixture
def store(tmp_path, monkeypatch) -> TokenizerStore:
    """A store in a folder, which the pages use, too."""
    monkeypatch.setenv("BPE_STORE", tmp_path.as_uri())
    return TokenizerStore(tmp_path.as_uri())


def test_a_server_without_a_store_says_so_and_offers_nothing(open_page, monkeypatch):
    monkeypatch.delenv("BPE_STORE", raising=False)
    app = open_page("compare", tokenizers=[f"published-{'a' * 64}", "o200k_base"])
    assert "no place for published tokenizers" in said(app, "warning")
    app.switch_page("pages/train.py").run()
    assert not app.exception
    labels = [each.proto.popover.label for each in app.get("popover")]
    assert "Download" in labels
    assert "Publish" not in labels


def publish(app) -> None:
    (button,) = (button for button in app.button if button.label == "Publish this tokenizer")
    button.click().run()
    assert not app.exception


def test_it_is_published_once_the_button_is_clicked_unless_it_cannot_be(
    open_page, store, monkeypatch, tmp_path, caplog
):
    app = open_page("train")
    (code,) = app.session_state["own tokenizers"]
    app.session_state[f"publish-{code}"] = True
    app.run()
    assert "The corpus is not published. But tokens are pieces of it" in said(app)
    assert store.entries() == ()

    with monkeypatch.context() as patch:
        patch.setattr(published, "MOST_AN_HOUR", 0)
        publish(app)
    assert "within an hour" in app.error[0].value
    assert store.entries() == ()

    with monkeypatch.context() as patch:
        (tmp_path / "file").write_text("no folder")
        patch.setenv("BPE_STORE", (tmp_path / "file" / "store").as_uri())
        publish(app)
    (error,) = app.error
    assert "cannot be reached" in error.value
    assert str(tmp_path) not in error.value
    assert "NotADirectoryError" in caplog.text

    publish(app)
    assert not app.error
    (entry,) = store.entries()
    (link,) = (code.value for code in app.code if "published-" in code.value)
    tokenizers = parse_qs(urlsplit(link).query)["tokenizers"]
    assert tokenizers == [f"published-{entry.digest}", "o200k_base"]


def test_a_link_opens_what_is_there_and_says_what_is_not(open_page, store, tmp_path):
    here = store.publish(bpe.train(["低 lower"], bpe.Recipe(merges=2)))
    damaged = store.publish(TOKENIZER)
    (tmp_path / f"{damaged}.bpe.json").write_bytes(b"{}")
    digests = ["a" * 64, "../../etc/passwd", damaged, here]
    codes = [f"published-{digest}" for digest in digests]
    app = open_page("compare", tokenizers=[*codes, "o200k_base"])
    assert not app.exception
    assert "There is no published tokenizer" in said(app, "warning")
    assert "is not the digest of a published tokenizer" in said(app, "warning")
    assert f"{damaged} is damaged" in said(app, "warning")
    (chosen,) = (field for field in app.multiselect if field.label == "Tokenizers")
    assert chosen.value == [f"published-{here}", "o200k_base"]
    own = app.session_state["own tokenizers"]
    assert [entry.tokenizer.name for entry in own.values()] == ["trained"]
