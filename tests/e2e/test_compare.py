"""The Compare page in a real browser: trees, one's own tokenizers, whole files, a megabyte."""

import pytest

import bpe
from bpe import files
from bpe.encoders import catalog
from bpe.text import samples
from bpe.training.recipe import Recipe

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect
pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]

CHINESE, ENGLISH = "Chinese", "English"


@pytest.fixture
def compare(app, open_page):
    def opened(query="", **context):
        context = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **context}
        page = open_page(f"{app}/compare?lang=en{query}", **context)
        expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
        return page

    return opened


def type_into(page, label: str, text: str) -> None:
    expect(page.locator(".view").last).to_be_visible()
    area = page.get_by_role("textbox", name=label, exact=True)
    area.fill(text)
    area.press("Control+Enter")


def test_a_pinned_token_grows_its_tree_below(compare):
    page = compare("&tokenizers=o200k_base&tokenizers=deepseek_v3")
    type_into(page, CHINESE, "人工智能")
    view = page.locator(".view").first
    token = view.locator(".token").filter(has_text="人工智能")
    expect(token).to_have_count(1)
    token.click()
    expect(view.locator(".inspector")).to_contain_text("merge ")
    tree = page.get_by_role("img", name="人工智能 = ")
    expect(tree.first).to_be_visible()
    expect(tree.first).to_contain_text("E4")
    expect(page.get_by_text("of deepseek_v3, bytes: 12.")).to_be_visible()


def test_markup_in_a_text_stays_text(compare):
    page = compare("&tokenizers=o200k_base&tokenizers=qwen3")
    type_into(page, ENGLISH, "<img src=x onerror=\"document.title='owned'\"><b>x</b>")
    word = page.get_by_label("A word or token, spaces and all")
    word.fill("<i>x</i>")
    word.press("Enter")
    expect(page.locator(".merge-tree").filter(has_text="<i").first).to_be_visible()
    expect(page.locator(".view").last).to_contain_text("onerror")
    assert page.title() != "owned"
    assert page.locator(".merge-trees i, .view img, .view b").count() == 0


def test_a_tokenizer_file_is_chosen_and_stands_beside_the_others(compare, tmp_path):
    trained = bpe.train([samples.corpus("zh")], Recipe(vocabulary_size=500))
    files.save(trained, tmp_path / "tokenizer.json", "huggingface")
    page = compare("&tokenizers=qwen3")
    page.get_by_text("Bring your own tokenizer").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(tmp_path / "tokenizer.json")
    expect(page.locator(".names").first).to_contain_text("tokenizer.json (")
    expect(page.get_by_text("500 entries")).to_be_visible()


def test_a_file_is_counted_stopped_and_gone_on_with(compare, tmp_path):
    file = tmp_path / "large.txt"
    file.write_text(samples.corpus("zh") * 500, encoding="utf-8")  # some 10 MB
    page = compare("&view=files&files_from=own&tokenizers=o200k_base")
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    stop = page.get_by_role("button", name="Stop", exact=False).filter(has_text="Stop").last
    page.get_by_text("tokens so far").wait_for()
    stop.click()
    expect(page.get_by_text("Stopped. What is counted is shown")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("needs the fewest tokens for it")).to_be_visible()


def test_counting_a_file_leaves_other_sessions_alone(compare, tmp_path):
    file = tmp_path / "large.txt"
    file.write_text(samples.corpus("zh") * 400, encoding="utf-8")
    first, other = compare("&view=files&files_from=own"), compare("&tokenizers=qwen3")
    expect(other.locator(".view").first).to_be_visible()
    first.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    first.get_by_text("tokens so far").wait_for()
    type_into(other, ENGLISH, "quite another text")
    expect(other.locator(".view").last).to_contain_text("another")
    expect(first.get_by_text("tokens so far")).to_be_visible()


def test_a_megabyte_says_what_is_done_and_is_counted_exactly(compare):
    page = compare()
    expect(page.locator(".view").first).to_be_visible()
    text = (samples.corpus("zh") * 60).encode()[:1_000_000].decode(errors="ignore")
    tokens = len(catalog.encoding("o200k_base").encode(text))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    area = page.get_by_role("textbox", name=CHINESE, exact=True)
    area.click()
    area.press("Control+A")
    area.press("Control+V")
    # The progress may be gone before one looks, so the page itself notes that it was there.
    page.evaluate(
        """() => new MutationObserver(() => {
            window.saidWhatItDoes ||= document.body.innerText.includes("Cutting 3");
        }).observe(document.body, {childList: true, subtree: true, characterData: true})"""
    )
    area.press("Control+Enter")
    expect(page.locator(".view .total").first).to_have_text(f"{tokens:,}")
    assert page.evaluate("window.saidWhatItDoes")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_never_scrolls_sideways(compare, scheme):
    page = compare(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    expect(page.locator(".merge-tree").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_our_samples_are_drawn_as_whole_files_and_fit_a_phone(compare):
    page = compare("&view=files", viewport={"width": 390, "height": 844}, color_scheme="dark")
    expect(page.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(2)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(2)
    assert page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollWidth") <= 390
