"""Publishing a tokenizer from a page, and opening the link in another session."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

import bpe
from bpe.files.store import TokenizerStore
from playground import published


@pytest.fixture
def store(tmp_path, monkeypatch) -> TokenizerStore:
    """A store in a folder, which the pages use, too."""
    monkeypatch.setenv("BPE_STORE", tmp_path.as_uri())
    return TokenizerStore(tmp_path.as_uri())


TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3))


def open_popover(app):
    (code,) = app.session_state["own tokenizers"]
    app.session_state[f"publish-{code}"] = True
    return app.run()


def test_without_a_store_nothing_offers_to_publish(open_page, monkeypatch):
    monkeypatch.delenv("BPE_STORE", raising=False)
    app = open_page("train")
    assert not app.exception
    labels = [each.proto.popover.label for each in app.get("popover")]
    assert "Download" in labels
    assert "Publish" not in labels


def test_nothing_is_published_until_the_button_is_clicked(open_page, store):
    app = open_popover(open_page("train"))
    said = " ".join(text.value for text in app.markdown)
    assert "The corpus is not published. But tokens are pieces of it" in said
    assert store.entries() == ()
    (button,) = (button for button in app.button if button.label == "Publish this tokenizer")
    button.click().run()
    (entry,) = store.entries()
    (link,) = (code.value for code in app.code if "published-" in code.value)
    assert parse_qs(urlsplit(link).query)["tokenizers"] == [
        f"published-{entry.digest}",
        "o200k_base",
    ]
    assert not app.exception


def test_the_link_opens_it_in_another_session(open_page, store):
    digest = store.publish(bpe.train(["低 lower"], bpe.Recipe(merges=2)))
    app = open_page("compare", tokenizers=[f"published-{digest}", "o200k_base"])
    assert not app.exception
    (chosen,) = (field for field in app.multiselect if field.label == "Tokenizers")
    assert chosen.value == [f"published-{digest}", "o200k_base"]
    assert [
        app.session_state["own tokenizers"][code].tokenizer.name for code in chosen.value[:1]
    ] == ["trained"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (f"published-{'a' * 64}", "There is no published tokenizer"),
        ("published-../../etc/passwd", "is not the digest of a published tokenizer"),
    ],
)
def test_a_link_to_what_is_not_there_says_so_and_shows_the_rest(open_page, store, code, message):
    app = open_page("compare", tokenizers=[code, "o200k_base"])
    assert message in " ".join(warning.value for warning in app.warning)
    (chosen,) = (field for field in app.multiselect if field.label == "Tokenizers")
    assert chosen.value == ["o200k_base"]
    assert not app.exception


def test_a_damaged_one_is_named_and_not_used(open_page, store, tmp_path):
    digest = store.publish(TOKENIZER)
    (tmp_path / f"{digest}.bpe.json").write_bytes(b"{}")
    app = open_page("compare", tokenizers=[f"published-{digest}"])
    assert f"{digest} is damaged" in " ".join(warning.value for warning in app.warning)


def test_a_server_without_a_store_says_so(open_page, monkeypatch):
    monkeypatch.delenv("BPE_STORE", raising=False)
    app = open_page("compare", tokenizers=[f"published-{'a' * 64}", "o200k_base"])
    assert "no place for published tokenizers" in " ".join(each.value for each in app.warning)


def test_what_cannot_be_reached_is_said_without_a_path_of_the_server(
    open_page, monkeypatch, tmp_path, caplog
):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BPE_STORE", (tmp_path / "file" / "store").as_uri())
    app = open_popover(open_page("train"))
    (button,) = (button for button in app.button if button.label == "Publish this tokenizer")
    button.click().run()
    (error,) = app.error
    assert "cannot be reached" in error.value
    assert str(tmp_path) not in error.value
    assert "NotADirectoryError" in caplog.text


@pytest.mark.parametrize(
    ("given", "number"), [("", 256 << 20), ("1_000", 1000), ("0", 256 << 20), ("much", 256 << 20)]
)
def test_the_limit_is_set_in_the_environment(monkeypatch, given, number):
    monkeypatch.setenv("BPE_STORE", "memory://limits")
    monkeypatch.setenv("BPE_STORE_MAX_BYTES", given)
    here = published.store()
    assert here is not None
    assert here.max_bytes == number


def test_the_name_is_published_with_it(store):
    digest = store.publish(TOKENIZER)
    named = published.publish(TOKENIZER, "我的分词器")
    assert named != digest
    assert store.load(named).name == "我的分词器"


def test_what_many_sessions_load_is_one_object(open_page, store):
    digest = store.publish(bpe.train(["低 lower"], bpe.Recipe(merges=2)))
    first, second = (
        open_page("compare", tokenizers=[f"published-{digest}", "o200k_base"])
        .session_state["own tokenizers"][f"published-{digest}"]
        .tokenizer
        for _ in range(2)
    )
    assert first is second


def test_the_published_tokenizers_of_a_link_are_bounded_by_their_entries(
    open_page, store, monkeypatch
):
    monkeypatch.setattr(published, "MOST_ENTRIES", 300)
    digests = [store.publish(bpe.train(["low"], bpe.Recipe(merges=n))) for n in (1, 2)]
    codes = [f"published-{digest}" for digest in digests]
    app = open_page("compare", tokenizers=[*codes, "o200k_base"])
    assert list(app.session_state["own tokenizers"]) == codes
    monkeypatch.setattr(published, "MOST_ENTRIES", 200)
    app = open_page("compare", tokenizers=[*codes, "o200k_base"])
    assert list(app.session_state["own tokenizers"]) == codes[:1]


def test_a_session_publishes_a_few_tokenizers_an_hour(open_page, store, monkeypatch):
    monkeypatch.setattr(published, "MOST_AN_HOUR", 0)
    app = open_popover(open_page("train"))
    (button,) = (button for button in app.button if button.label == "Publish this tokenizer")
    button.click().run()
    assert "within an hour" in app.error[0].value
    assert store.entries() == ()


def test_a_name_of_megabytes_is_not_published(store):
    named = bpe.train(["low"], bpe.Recipe(merges=1))
    with pytest.raises(bpe.BPEError, match="longer than 200 characters"):
        store.publish(replace(named, name="x" * 201))
