"""The Train page: samples, uploads in several encodings, recipes, errors."""

import gzip
import io
import zipfile

from bpe.documents import reader
from playground.train import current
from playground.ui import uploads
from tests.documents.test_untrusted_files import xlsx
from tests.pages.reading import data_of, metrics, said, warnings

TEXT = "看路，看天。看路灯，看天上的灯。街灯亮了，天上的星也亮了。\n" * 20


def typed(open_page, text: str, **query):
    return type_in(open_page("train", corpus="text", **query), text)


def type_in(app, text: str):
    app.session_state["typed_corpus"] = text
    return app.run()


def test_it_shows_the_sample_corpus_trained_at_first_sight_and_follows_the_form(open_page):
    app = open_page("train")
    assert metrics(app)["Vocabulary"] == "1,500"
    assert metrics(app)["Merges"] == "1,243"
    assert list(app.dataframe[0].value["number"][:2]) == [1, 2]
    assert not app.error
    assert "Chinese line" not in said(app, "caption")

    # The last result stays while the vocabulary is too small.
    app.number_input(key="size").set_value(400).run()
    app.number_input(key="size").set_value(100).run()
    assert "need 257" in app.error[0].value
    assert "of the former ones" in app.warning[0].value
    assert metrics(app)["Vocabulary"] == "400"
    app.number_input(key="size").set_value(300).run()
    assert not app.error
    assert not app.warning
    assert metrics(app)["Vocabulary"] == "300"

    linked = open_page("train", size="100")
    assert "need 257" in linked.error[0].value
    assert "cannot be trained" in linked.warning[0].value

    # An address from before the recipe was set does not undo it.
    app.switch_page("pages/compare.py").run()
    app.query_params.clear()
    app.switch_page("pages/train.py").run()
    assert app.number_input(key="size").value == 300
    assert metrics(app)["Vocabulary"] == "300"


LINES = b'{"text": "lantern lantern"}\nnot JSON\n{"text": null}\n'


def upload(app, *files: tuple[str, bytes]):
    given = [(name, data, "text/plain") for name, data in files]
    return app.file_uploader(key="corpus_files").set_value(given).run()


def test_files_of_any_charset_are_trained_on_and_those_that_cannot_be_are_said(
    open_page, monkeypatch
):
    app = open_page("train", corpus="upload", size="400")
    assert "There is no text yet" in said(app, "info")
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "MAX_SESSION_BYTES", 3000)
        upload(app, *((f"{n}.txt", TEXT.encode()) for n in range(3)))
    assert metrics(app)["Corpus"] == f"{len(TEXT.encode()) / 1000:.1f} KB"
    assert len(app.error) == 2
    assert "Remove a file first" in app.error[0].value

    upload(app, ("灯.txt", TEXT.encode("gb18030")))
    assert not app.error
    assert metrics(app)["Corpus"] == f"{len(TEXT.encode()) / 1000:.1f} KB"
    tokens = set(app.dataframe[0].value["new"])
    assert any("灯" in token for token in tokens)
    assert any(token.startswith("⟨E") for token in tokens)
    assert not any("ä" in token or "�" in token for token in tokens)

    upload(app, ("bad.txt", b""), ("good.txt", TEXT.encode()))
    (error,) = app.error
    assert error.value.startswith("bad.txt: ")
    assert "empty" in error.value
    assert metrics(app)["Corpus"] == f"{len(TEXT.encode()) / 1000:.1f} KB"


def test_rows_and_files_left_out_are_counted_and_of_a_workbook_a_sheet_is_chosen(open_page):
    app = open_page("train", corpus="upload", size="262", lang="en")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("灯.txt", TEXT.encode("gb18030"))
        archive.writestr("路/a.csv", "id,text\n1,lantern lantern\n")
        archive.writestr("b.png", b"")
    upload(app, ("1.jsonl.gz", gzip.compress(LINES)), ("a.zip", file.getvalue()))
    assert metrics(app)["Corpus"] == f"{(len(TEXT.encode()) + 30) / 1000:.1f} KB"
    (notes,) = warnings(app)
    assert "1.jsonl.gz: Broken rows, left out: 1. The first: Line 2 is not JSON" in notes
    assert "Files of other kinds, left out: 1 (b.png)." in notes
    assert "a.zip/路/a.csv: 15 characters" in said(app, "caption")

    book = xlsx(one=[["id", "text"], [1, "lantern lantern"]], two=[["road road road"]])
    upload(app, ("book.xlsx", book))
    assert not app.error
    assert "Columns read: “text” (not read: “id”, “sheet two”)" in said(app, "caption")
    assert metrics(app)["Corpus"] == "15 B"
    {box.label: box for box in app.selectbox}["Sheet"].set_value("two").run()
    assert metrics(app)["Corpus"] == "14 B"


def test_a_table_is_read_once_however_often_the_page_runs_and_outlives_switches_of_language(
    open_page, monkeypatch
):
    read = []
    whole = reader.whole
    monkeypatch.setattr(reader, "whole", lambda *a, **more: read.append(a) or whole(*a, **more))
    app = open_page("train", corpus="upload", size="262", lang="en")
    table = "title,正文\n灯,街灯亮了天上的星也亮了\n路,看路看天看路灯看天上的灯\n"
    upload(app, ("a.csv", table.encode("gb18030")))
    assert metrics(app)["Corpus"] == "69 B"
    assert "Columns read: “正文” (not read: “title”)" in said(app, "caption")
    app.number_input(key="size").set_value(261).run()
    assert len(read) == 1

    {box.label: box for box in app.selectbox}["Encoding"].set_value("gb18030").run()
    (columns,) = (box for box in app.multiselect if box.label == "Columns")
    assert columns.value == ["正文"]
    columns.set_value(["title"]).run()
    asked = len(read)
    for language in ("zh", "en", "zh"):
        app.button_group(key="lang").set_value(language).run()
        assert not app.error
    assert "读取了列“title”（另有“正文”未读）" in said(app, "caption")
    assert metrics(app)["语料"] == "6 B"
    assert len(read) == asked
    (columns,) = (box for box in app.multiselect if box.label == "列")
    columns.set_value(["title", "正文"]).run()
    assert metrics(app)["语料"] == "75 B"
    (header,) = (toggle for toggle in app.toggle if toggle.label == "第一行是列名")
    header.set_value(False).run()
    assert "读取了列“#2”（另有“#1”未读）。第一行按正文读取。" in said(app, "caption")
    assert metrics(app)["语料"] == "75 B"


def test_the_cross_of_an_upload_takes_the_file_away(open_page):
    """Of one and of several; on another page it stays, says so, and has a cross of its own."""
    app = open_page("train", corpus="upload", size="262", lang="en")
    one, other = ("one.csv", b"word,count\nlantern,9"), ("other.csv", b"word,count\nroads,9")

    def crosses() -> list:
        return [button for button in app.button if "-remove-" in str(button.key)]

    upload(app, one, other)
    assert metrics(app)["Corpus"] == "12 B"
    upload(app, other)
    assert metrics(app)["Corpus"] == "5 B"
    for _again in range(2):  # a browser sends the same list after a file of a refused type
        upload(app)
        assert "There is no text yet" in said(app, "info")
        assert crosses() == []

    upload(app, one, other)
    app.switch_page("pages/learn.py").run()
    app.switch_page("pages/train.py").run()
    assert len(crosses()) == 2
    for _each in range(2):
        crosses()[0].click().run()
    assert crosses() == []
    assert "There is no text yet" in said(app, "info")


def test_characters_that_are_too_many_for_the_vocabulary_are_said(open_page):
    text = "low lower lowest\nplay player happiest\nrunning runs runner\n看路 看天"
    app = typed(open_page, text, algorithm="character-bpe", size="12", lang="en")
    assert "The alphabet alone has" in app.info[0].value
    assert not app.dataframe, "there is no merge to list"
    app.number_input(key="size").set_value(100).run()
    assert not app.info
    assert metrics(app)["Merges"] != "0"
    assert "a Chinese line without spaces is one word" in said(app, "caption")

    app.session_state["downloads"] = True  # opens the popover
    app.run()
    [download] = app.get("download_button")
    assert download.label == "Download tokenizer.bpe.json"
    assert "import bpe" in app.code[0].value


def test_a_long_training_is_asked_for_and_a_slow_learner_is_said(open_page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(current, "ASKED_FROM", 0.0)
        patch.setattr(current, "SAID_FROM", 0.0)
        app = typed(open_page, TEXT, size="290", lang="en")
        assert "Estimate: about 0 s" in app.info[0].value
        assert not app.metric
        app.button(key="train_long").click().run()
        assert metrics(app)["Vocabulary"] == "290"
        app.number_input(key="size").set_value(285).run()
        assert not app.metric

    monkeypatch.setattr("bpe.compiled.warm", lambda *_, **__: None)
    monkeypatch.setattr("bpe.compiled.ready", lambda part=None: False)
    for size, cached in ((270, False), (280, True)):
        monkeypatch.setattr("bpe.compiled.cached", lambda part, cached=cached: cached)
        app.number_input(key="size").set_value(size).run()
        assert metrics(app)["Vocabulary"] == str(size)
        assert ("still compiling its fast learner" in said(app, "caption")) != cached


def on_compare(app) -> list[str]:
    """The tokenizers that Compare offers, of which it chooses the one trained last."""
    app.switch_page("pages/compare.py").run()
    assert app.multiselect(key="tokenizers").value[0].startswith("own-")
    assert not app.exception
    assert not app.error
    names = list(app.multiselect(key="tokenizers").options)
    app.switch_page("pages/train.py").run()
    return names


def name_field(app, code: str, language: str = "en"):
    """The field behind the button of the downloads."""
    app.session_state["downloads"] = True
    app.run()
    return app.text_input(key=f"name-{code}-{language}")


def test_trying_sizes_leaves_one_tokenizer_and_a_named_or_compared_one_stays(open_page):
    app = open_page("train", corpus="en", size="300", lang="en")
    (first,) = app.session_state["own tokenizers"]
    assert name_field(app, first).value == "samples · byte-level · 300"
    app.button_group(key="lang").set_value("zh").run()
    assert name_field(app, first, "zh").value == "示例 · 字节级 · 300"
    app.button_group(key="lang").set_value("en").run()
    for size in (310, 320, 330):
        app.number_input(key="size").set_value(size).run()
    (code,) = app.session_state["own tokenizers"]
    name_field(app, code).set_value("**Mine**").run()
    offered = on_compare(app)
    assert "**Mine**" in offered
    assert not any("level" in name for name in offered)
    app.number_input(key="size").set_value(340).run()
    app.number_input(key="size").set_value(350).run()
    assert len(app.session_state["own tokenizers"]) == 2

    # A named one can be removed, and has its first name when it is trained again.
    app.switch_page("pages/compare.py").run()
    app.button(key=f"remove_{code}").click().run()
    assert code not in app.session_state["own tokenizers"]
    assert len(app.session_state["own tokenizers"]) == 1
    app.switch_page("pages/train.py").run()
    app.number_input(key="size").set_value(330)
    assert name_field(app, code).value == "samples · byte-level · 330"

    # One that was compared stays.
    app.switch_page("pages/compare.py").run()
    app.multiselect(key="tokenizers").set_value([code]).run()
    app.switch_page("pages/train.py").run()
    app.number_input(key="size").set_value(360).run()
    own = [name for name in on_compare(app) if "level" in name]
    assert own == ["samples · byte-level · 360", "samples · byte-level · 330"]


OWN = {"pattern": "own", "least": "1", "specials": ""}


def test_an_own_split_pattern_is_trained_by_and_a_wrong_one_is_said(open_page):
    app = typed(open_page, "low lower 长江长江", merges="9", **OWN)
    assert "low │ · │ lower │ · │ 长 │ 江" in " ".join(text.value for text in app.text)
    new = set(app.dataframe[0].value["new"])
    assert {"low", "长", "江"} <= new
    app.text_input(key="specials").set_value("长江").run()  # cut out before the text is split
    assert "low │ · │ lower │ · │ 长江 │ 长江" in " ".join(text.value for text in app.text)
    merges = list(app.dataframe[0].value["new"])
    app.text_input(key="expression").set_value(r"\w+").run()
    assert "leaves out “·” at character 4" in said(app, "error")
    assert "still the result of the former" in said(app, "warning")
    assert list(app.dataframe[0].value["new"]) == merges
    app.session_state["expression"], app.session_state["specials"] = "[a-z ]+", ""
    type_in(app, "low " * 200 + "长江")  # far into the corpus
    assert "leaves out “长江” at character 801" in app.error[0].value
    app = open_page("train", expression="a{300000}|.", **OWN)  # in a link
    assert "too much time or memory" in app.error[0].value
    assert not app.exception


def test_unigram_shows_its_pieces_and_the_size_at_first_is_that_of_the_algorithm(open_page):
    app = open_page("train", corpus="en", algorithm="unigram", size="600", lang="en")
    assert "▁the" in set(app.dataframe[0].value["piece"])
    assert metrics(app)["Vocabulary"] == "600"
    assert "Merges" not in metrics(app)
    drawn = data_of(app, "bpe_explorer")
    assert drawn["model"]["sizes"][-1] == 600 < drawn["model"]["sizes"][0]
    assert drawn["labels"]["play"] == "Watch pieces drop out"
    assert any("Unigram" in name for name in on_compare(app))

    app = typed(open_page, "low lower lowest " * 7_000, algorithm="unigram", size="267", lang="en")
    assert "you can watch how pieces are dropped" in said(app, "caption")
    assert not app.exception
    app = typed(open_page, "low lower lowest", algorithm="unigram")

    def choose(algorithm: str) -> int:
        app.selectbox(key="algorithm").set_value(algorithm).run()
        return app.number_input(key="size").value

    for algorithm in ("unigram", "sentencepiece-bpe", "wordpiece"):
        assert choose(algorithm) == 3_000
        assert "size" not in app.query_params
        assert choose("byte-bpe") == 1_500
    app.number_input(key="size").set_value(1_600).run()
    assert choose("wordpiece") == 1_600, "the reader's own size stays"


def test_a_text_is_typed_cut_into_documents_and_trained_on_by_bytes_or_wordpiece(open_page):
    app = typed(open_page, "  ", size="259", least="1", specials="")
    assert "There is no text yet" in said(app, "info")
    assert not app.error
    type_in(app, '{"hug": 10, "pug": -5}')
    assert "“pug” must be a whole number" in app.error[0].value
    assert not app.exception
    type_in(app, "low low low lower lowest")
    assert metrics(app)["Corpus"] == "24 B"
    assert list(app.dataframe[0].value["new"]) == ["ow", "low", "·low"]
    app.selectbox(key="documents").set_value("line")
    type_in(app, "one\ntwo\n\nth---ree")
    assert "Documents: 3 " in said(app, "caption")
    app.selectbox(key="documents").set_value("own").run()
    assert "Documents: 2 " in said(app, "caption")
    app.selectbox(key="algorithm").set_value("wordpiece")
    app.selectbox(key="documents").set_value("text")
    type_in(app, '{"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}')
    assert "hug │ pug │ pun │ bun │ hugs" in " ".join(text.value for text in app.text)
    assert any("WordPiece" in name for name in on_compare(app))


def test_a_name_field_that_the_browser_still_had_names_nothing(open_page):
    app = open_page("train", corpus="en", size="300", lang="en")
    app.number_input(key="size").set_value(320)
    sent_late = app._tree.get_widget_states()
    app.number_input(key="size").set_value(310).run()
    app._run(sent_late)
    assert not app.exception
    assert metrics(app)["Vocabulary"] == "320"
    sent_late = app._tree.get_widget_states()
    app.button_group(key="lang").set_value("zh").run()
    app._run(sent_late)
    (entry,) = app.session_state["own tokenizers"].values()
    assert not entry.stays


def test_an_example_can_be_watched(open_page):
    app = open_page("train", lang="en")
    app.pills(key="example").set_value("six-lines").run()
    assert not app.exception
    assert app.button_group(key="picture").value == "replay"
    assert metrics(app)["Vocabulary"] == "25"
    assert list(app.dataframe[0].value["count"]) == [10, 7, 6, 6, 5, 4, 4]
    assert len(data_of(app, "bpe_merge_view")["merges"]) == 7 * 4
    assert "are played" not in said(app, "caption")
