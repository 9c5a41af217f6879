"""A dozen hostile files through the browser: each is answered beside the upload, the page lives on.

All of them are read in ``tests/test_hostile_files.py``; here is what a visitor sees.
"""

import pytest

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from fuzz import hostile_files
from tests.e2e.views import go
from tests.e2e.waiting import open_section, settled

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect
pytestmark = pytest.mark.e2e

CORPORA = {
    "10,000 columns.csv": "The table has 10,000 columns; the limit is 1,000",
    "an open quote.csv": "a quotation mark is missing or out of place",
    "deep.jsonl": "is not JSON",
    "program.txt": "not plain text",
    "bomb.zip": "unpacks to more than 100 MB",
    "bomb.docx": "unpacks to more than 200 MB",
    "pages of themselves.pdf": "The PDF is broken",
}
TOKENIZERS = {
    "huge ids.json": "has a token with the id 4,000,000,000",
    "doubled.bpe.json": "are longer than",
    "towers.model": "can be merged in too many ways",
    "a huge length.model": "not a SentencePiece model",
    "no base64.tiktoken": "is not a token in base64",
    "a page.json": "is a web page",
}


@pytest.fixture(scope="module")
def hostile() -> dict[str, dict]:
    """The files by name, as Playwright uploads them."""
    wanted = {*CORPORA, *TOKENIZERS}
    return {
        file.name: {
            "name": file.name,
            "mimeType": "application/octet-stream",
            "buffer": file.content,
        }
        for file in hostile_files.all_files()
        if file.name in wanted
    }


def test_each_is_answered_in_a_sentence_and_a_good_file_is_read_beside_them(
    app, open_page, hostile
):
    page = open_page(f"{app}/?lang=en&corpus=upload&least=1")
    settled(page)
    chooser = page.get_by_role("region", name="Text files").locator("input")
    good = {"name": "good.txt", "mimeType": "text/plain", "buffer": b"low lower lowest " * 9}
    chooser.set_input_files([*(hostile[name] for name in CORPORA), good])
    for said in CORPORA.values():
        expect(page.get_by_text(said).first).to_be_visible()
    expect(page.locator(".explorer .token").first).to_be_visible()

    recipe = Recipe(vocabulary_size=260)
    content = files.dumps(bpe.train(["low lower lowest"], recipe), "huggingface")["tokenizer.json"]
    go(page, "Compare")
    expect(page.locator(".view .token").last).to_be_attached()
    open_section(page, "Bring your own tokenizer")
    chooser = page.get_by_role("region", name="Tokenizer files").locator("input")
    good = {"name": "good.json", "mimeType": "application/json", "buffer": content}
    chooser.set_input_files([*(hostile[name] for name in TOKENIZERS), good])
    for said in TOKENIZERS.values():
        expect(page.get_by_text(said).first).to_be_visible()
    expect(page.get_by_text("260 entries")).to_be_visible()
    settled(page)
    expect(page.locator(".view .token").last).to_be_attached()
