"""The Train page in a real browser: a corpus is typed, explored by the slider, and taken away."""

import json
import re
import urllib.request
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import bpe
from bpe.documents import samples
from playground import browser
from playground.train import explorer, usage
from tests.e2e.views import choose, read_in
from tests.e2e.waiting import open_section, settled, until

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect
pytestmark = pytest.mark.e2e


class Explorer:
    """The explorer on a page, and its parts by name."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".explorer")
        self.slider = self.root.get_by_role("slider")
        self.tokens = self.root.locator(".text .token")
        self.own = self.root.get_by_role("textbox")
        self.place = self.root.locator(".place")

    def write(self, text: str) -> None:
        """Put a text in the place of the tokens; it stays open."""
        self.root.get_by_role("button", name="Your own text").click()
        self.own.fill(text)


SLOWLY = """{
    const now = performance.now.bind(performance)
    performance.now = () => now() / 10
    const draw = requestAnimationFrame
    globalThis.requestAnimationFrame = (drawn) => draw((at) => drawn(at / 10))
}"""
"""Let every training play at a tenth of its speed, so that none is missed."""
TO_THE_END = """() => {
    const draw = requestAnimationFrame
    globalThis.requestAnimationFrame = (drawn) => draw((now) => drawn(now + 60_000))
}"""
"""Let the training that plays be a minute further at the next drawing."""
WIDE = {"width": 1440, "height": 900}
STORED = "JSON.stringify(sessionStorage)"


@pytest.fixture(scope="module")
def page(shared):
    return shared("?lang=en&corpus=text&least=2&specials=", viewport=WIDE)


def typed(page, text: str) -> Explorer:
    """Type a corpus."""
    choose(page, "corpus", 1)
    box = page.get_by_role("textbox", name="Your text")
    box.fill(text)
    expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text(f"{len(text)} B")
    settled(page)
    shown = Explorer(page)
    expect(shown.tokens.first).to_be_visible()
    return shown


def test_a_text_without_merges_has_no_curves_and_none_at_all_is_asked_for(page):
    expect(page.get_by_text("There is no text yet")).to_be_visible()
    shown = typed(page, "a")
    expect(shown.root.get_by_text("an excerpt of the corpus")).to_have_count(0)
    end, rest = shown.root.bounding_box(), page.locator(".st-key-train_rest").bounding_box()
    assert rest["y"] - (end["y"] + end["height"]) < 40, "what follows stands right below"
    expect(shown.root.get_by_text("Lists of tokens")).to_be_visible()
    expect(shown.root.get_by_text("Curves")).to_be_hidden()
    page.get_by_text("Samples", exact=True).click()
    expect(shown.root.get_by_text("an excerpt of the corpus")).to_be_visible()
    expect(shown.root.get_by_text("Curves")).to_be_visible()
    shown.slider.press("Home")
    expect(shown.root.get_by_text("newest merge")).to_be_hidden()
    shown.slider.press("ArrowRight")
    expect(shown.root.get_by_text("newest merge")).to_be_visible()


LOW = "low low low low low lower lower newest newest newest newest newest newest widest widest"


def test_the_explorer_is_clicked_replayed_and_dragged_and_asks_nothing(page):
    shown = typed(page, LOW)
    shown.tokens.first.click()
    inspector = shown.root.locator(".inspector")
    expect(inspector).to_contain_text(re.compile(r"merge 3: l.*\+ o.*pair seen 7 times"))
    expect(shown.tokens.first).to_have_attribute("aria-selected", "true")
    [there] = bpe.encoding("o200k_base").encode("lo")
    expect(inspector).to_contain_text(f"GPT-4o{there}")

    last = shown.place.inner_text()
    shown.root.get_by_role("button", name="Watch it learn").click()
    expect(shown.place).not_to_have_text(last)
    page.evaluate(TO_THE_END)
    expect(shown.place).to_have_text(last)
    shown.tokens.first.click()
    expect(inspector).to_be_hidden()

    saved = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            shown.root.locator(".charts .save summary").first.click()
            shown.root.locator(".charts .save button", has_text=kind).first.click()
        assert download.value.suggested_filename == f"Bytes per token.{kind.lower()}"
        saved[kind] = download.value.path().read_bytes()
    picture = ElementTree.fromstring(saved["SVG"])
    assert {"Bytes per token", "with Chinese", "without"} <= set(picture.itertext())
    curve = picture.find(".//{*}polyline")
    assert curve is not None
    assert curve.get("stroke", "").startswith("rgb(")
    assert saved["PNG"].startswith(b"\x89PNG")
    with page.expect_download() as download:
        shown.root.locator(".run .save summary").click()
        shown.root.locator(".run .save button").click()
    head = download.value.path().read_bytes()[:12]
    assert b"ftyp" in head or head.startswith(b"\x1aE\xdf\xa3"), head  # an MP4 or a WebM

    shown.root.get_by_text("Lists of tokens").click()
    expect(shown.root.get_by_text("1 character", exact=True)).to_be_visible()
    shown.write("lowest newest")
    expect(shown.root.locator(".desk .cell")).to_have_count(3)
    expect(shown.root.locator(".desk .cell").last).to_have_attribute("data-text", " newest")
    shown.own.press("Escape")
    expect(shown.tokens).to_have_text(["lo", "west", " newest"], use_inner_text=True)
    sent: list[str] = []
    page.on("websocket", lambda socket: sent.append(socket.url))
    page.on("request", lambda request: sent.append(request.url))
    shown.slider.press("Home")
    expect(shown.place).to_have_text("Vocabulary 256 · merges: 0")
    shown.tokens.first.click()
    expect(inspector).to_contain_text("no merge: a symbol from the start")
    assert shown.tokens.all_inner_texts() == [*"lowest", " ", *"newest"]
    shown.slider.press("ArrowRight")
    shown.slider.press("ArrowRight")
    expect(shown.place).to_have_text("Vocabulary 258 · merges: 2")
    shown.slider.press("End")
    expect(shown.tokens).to_have_count(3)
    assert sent == []

    # The downloads stay open while a format is chosen.
    page.get_by_role("button", name="Download", exact=True).click()
    expect(page.get_by_role("button", name="Download tokenizer.json")).to_be_visible()
    for kind, file in (("tiktoken", "tokenizer.tiktoken"), ("Hugging Face", "tokenizer.json")):
        page.get_by_role("combobox", name="Format").click()
        page.get_by_role("option", name=kind).click()
        expect(page.get_by_role("button", name=file)).to_be_visible()
    with page.expect_download() as caught:
        page.get_by_role("button", name="tokenizer.json").click()
    content = json.loads(caught.value.path().read_bytes())
    assert ["l", "o"] in content["model"]["merges"]
    page.keyboard.press("Escape")


def test_an_example_fills_the_form_once_and_then_leaves_it_alone(page):
    open_section(page, "Textbook examples, each")
    page.locator(".st-key-example").get_by_text("low, lower, lowest", exact=True).dblclick()
    expect(page.get_by_role("slider", name="Merges done")).to_be_visible()
    settled(page)
    expect(page.locator(".st-key-example")).to_be_visible()  # the section stays open
    page.get_by_text("Explore the vocabulary size").click()
    expect(Explorer(page).tokens.first).to_be_visible()
    box = page.get_by_role("textbox", name="Your text")
    box.clear()
    box.press_sequentially("pug pug")
    page.get_by_text("Watch the merges").click()  # at once, before the pause that ends an edit
    expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text("7 B")
    expect(box).to_have_value("pug pug")


def test_the_first_token_is_on_the_first_screen_and_a_reload_keeps_what_was_typed(app, open_page):
    page = open_page(app, locale="zh-CN", viewport={"width": 1280, "height": 800})
    shown = Explorer(page)
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        expect(shown.tokens.first).to_be_in_viewport(ratio=1)

    page.set_viewport_size({"width": 1280, "height": 800})
    read_in(page, "en")
    page.wait_for_url("**lang=en**")
    before = page.evaluate(STORED)
    shown.write("tea and 茶")
    shown.own.press("Escape")
    expect(shown.tokens.first).to_have_text("t")
    until(page, f"before => {STORED} !== before", before)  # at the end of the whole page
    shown.page.reload()
    expect(shown.tokens.first).to_have_text("t")
    shown.root.get_by_role("button", name="Your own text").click()
    expect(shown.own).to_have_value("tea and 茶")


def test_a_first_visit_sees_the_training_play_once_and_only_its_button_stops_it(app, open_page):
    shown = Explorer(open_page(f"{app}/_stcore/health", is_first_visit=True))
    shown.page.evaluate("localStorage.clear()")
    shown.page.emulate_media(reduced_motion="no-preference")
    shown.page.add_init_script(SLOWLY)
    shown.page.goto(app)
    expect(shown.place).to_have_text("Vocabulary 257 · merges: 0")
    expect(shown.tokens.first).to_have_text("T")  # English first, in bytes
    expect(shown.place).not_to_have_text("Vocabulary 257 · merges: 0")
    pause = shown.root.get_by_role("button", name="Pause")
    shown.page.mouse.click(8, 600)
    shown.page.keyboard.press("Control+Enter")
    expect(pause).to_be_visible()
    pause.click()
    expect(shown.root.get_by_role("button", name="Watch it learn")).to_be_visible()
    expect(shown.place).to_have_text(re.compile(r"merges: [\d,]+ · paused$"))
    shown.page.reload()
    expect(shown.place).to_have_text("Vocabulary 1,500 · merges: 1,243")
    shown.page.emulate_media(reduced_motion="reduce")
    shown.page.evaluate("localStorage.clear()")
    shown.page.reload()
    expect(shown.place).to_have_text("Vocabulary 1,500 · merges: 1,243")
    expect(shown.root.get_by_role("button", name="Watch it learn")).to_be_visible()


@pytest.fixture(scope="module")
def small(shared):
    return shared("?lang=en&corpus=zh&size=400", viewport=WIDE)


def size_of(page):
    return page.get_by_role("spinbutton", name="Vocabulary size")


def set_size(page, size: int) -> None:
    size_of(page).fill(str(size))
    size_of(page).press("Enter")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(str(size))
    settled(page)


def test_a_link_reopens_its_view_and_two_steps_at_once_come_to_the_last_of_them(small):
    page = small
    expect(page.get_by_role("heading", name="Train", level=1)).to_be_visible()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("400")
    assert "corpus=zh" in page.url
    assert "lang=en" in page.url
    for _ in range(2):
        size_of(page).press("ArrowUp")
    expect(size_of(page)).to_have_value("600")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("600")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_is_sent_together_with_a_click_in_a_fragment_counts(small):
    page = small
    set_size(page, 400)
    names = ("Download", "Glossary")
    buttons = [page.get_by_role("button", name=name).first.element_handle() for name in names]
    size_of(page).fill("500")  # sent when the field is left
    page.evaluate(
        "buttons => { document.activeElement.blur(); buttons.forEach((button) => button.click()) }",
        buttons,
    )
    expect(page.get_by_role("dialog").get_by_text("Glossary")).to_be_visible()
    expect(size_of(page)).to_have_value("500")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("500")
    page.get_by_role("dialog").get_by_label("Close", exact=True).click()


def test_the_merges_stand_where_they_were_left_when_one_comes_back_from_another_page(small):
    page = small
    choose(page, "corpus", 0)
    set_size(page, 264)
    choose(page, "picture", 1)
    page.get_by_role("slider", name="Merges done").press("ArrowRight")
    page.get_by_role("slider", name="Merges done").press("ArrowRight")
    expect(page.locator("output.place")).to_have_text("2 of 7 merges")
    header = page.locator(".st-key-header")
    header.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Learn", level=1)).to_be_visible()
    settled(page)
    header.get_by_role("link", name="Train").click()
    expect(page.locator("output.place")).to_have_text("2 of 7 merges")


def uploaded_bytes(app: str) -> int:
    """How many bytes of uploads the server holds, as it says itself."""
    with urllib.request.urlopen(f"{app}/_stcore/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(int(line.split()[-1]) for line in lines if "UploadedFileManager" in line)


def test_the_bytes_of_an_upload_are_let_go_and_its_text_stays(app, small, tmp_path):
    file = tmp_path / "market.txt"
    file.write_text("清早的菜市场最热闹。" * 30_000, encoding="gb18030")
    choose(small, "corpus", 2)
    before = uploaded_bytes(app)
    small.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(file)
    expect(small.get_by_text("300,000 characters, read as gb18030")).to_be_visible()
    settled(small)
    assert uploaded_bytes(app) <= before
    set_size(small, 280)
    expect(small.get_by_text("300,000 characters, read as gb18030")).to_be_visible()


MODEL, TEXT = (
    browser.script(Path(explorer.__file__).parent / name) for name in ("model.js", "text.js")
)


@pytest.mark.parametrize(
    "recipe",
    [
        bpe.Recipe(merges=300, special_tokens=("<|endoftext|>",)),
        bpe.Recipe(merges=300, pattern="none"),
        bpe.Recipe(algorithm="character-bpe", merges=300),
        bpe.Recipe(algorithm="character-bpe", merges=300, end_of_word="", prune=False),
        bpe.Recipe(algorithm="sentencepiece-bpe", merges=300),
        bpe.Recipe(algorithm="wordpiece", merges=300, unknown="[?]"),
        bpe.Recipe(algorithm="wordpiece", merges=300, score="likelihood"),
    ],
)
def test_every_smaller_vocabulary_is_cut_in_the_browser_as_it_is_trained(app, open_page, recipe):
    corpus = [samples.corpus("zh", "news"), samples.corpus("en", "news")]
    tokenizer, used = measured(corpus, recipe)
    text = corpus[0][:200] + " " + corpus[1][:200] + "<|endoftext|> aaa banana"
    data = {
        "model": explorer.model(tokenizer, used),
        "pieces": explorer.pieces(tokenizer.training, text, used.film),
    }
    places = [0, 1, 2, 17, 150, 299, 300]
    page = open_page(f"{app}/_stcore/health")
    found = page.evaluate(
        """async ([scripts, data, places]) => {
          const [{ Model }, { Text }] = await Promise.all(scripts.map((script) =>
            import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })))))
          const model = new Model(data.model)
          const text = new Text(model, data.pieces)
          return places.map((done) => {
            const now = model.at(done)
            const tokens = text.row(done).tokens.map((token) => token.hex)
            return [tokens, now.occurs.reduce((sum, n) => sum + n), model.size(done), model.firsts]
          })
        }""",
        [[MODEL, TEXT], json.loads(json.dumps(data)), places],
    )
    characters = not recipe.of_bytes
    for done, (tokens, occurrences, size, firsts) in zip(places, found, strict=True):
        assert (firsts[:2] == [None, None]) == characters, "which are whole from the start"
        smaller, counted = measured(corpus, replace(recipe, merges=done))
        assert occurrences == sum(counted.symbols) - counted.made.sum(), done
        assert size == smaller.vocabulary_size, done
        assert tokens == expected(smaller, text), done


def measured(corpus, recipe):
    tokenizer = bpe.train(corpus, recipe)
    return tokenizer, usage.count(tokenizer, corpus)


def expected(tokenizer, text: str) -> list[str]:
    """The bytes of each token in hexadecimal, the end of a word written out."""
    if isinstance(tokenizer, bpe.CharacterTokenizer):
        symbols = [symbol for word in text.split() for symbol in tokenizer.encode_word(word)]
        return [symbol.encode().hex(" ").upper() for symbol in symbols]
    if tokenizer.kind == "WordPiece":  # the unknown token stands for a text that is shown
        pieces = tokenizer.engine.encode(text)
        unknown = tokenizer.engine.encode("\U0001f389").tokens[0]
        shown = [
            text[start:end] if piece == unknown else piece.removeprefix("##")
            for piece, (start, end) in zip(pieces.tokens, pieces.offsets, strict=True)
        ]
        return [piece.encode().hex(" ").upper() for piece in shown]
    ids = tokenizer.encode(text, allowed_special="all")
    return [tokenizer.token_bytes(token).hex(" ").upper() for token in ids]


SLOW = "corpus=upload&algorithm=wordpiece&score=likelihood&size=30000&least=1"


def test_a_training_lets_other_sessions_be_and_is_left_by_another_choice(app, open_page):
    page = open_page(f"{app}/?lang=en&{SLOW}")
    settled(page)
    other = open_page(f"{app}/learn?lang=en&lesson=merge")
    settled(other)
    # Chinese whose pairs hardly come again: by their likelihood they take long to learn.
    text = "".join(chr(0x4E00 + n * n % 20_899) + " 路灯" * (n % 7 == 0) for n in range(700_000))
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(page.get_by_test_id("stProgress")).to_be_visible()
    other.get_by_role("radio", name="Bytes", exact=True).click()
    other.wait_for_url("**merge_unit=bytes**")
    assert page.get_by_test_id("stProgress").is_visible(), "the click waited for the training"
    page.get_by_text("Samples", exact=True).click()
    expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text("45.7 KB")
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    expect(Explorer(page).tokens.first).to_be_visible()
