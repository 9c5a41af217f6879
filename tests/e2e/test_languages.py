"""Charts of both languages in a real browser: saved as SVG, PNG and CSV."""

from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

EVERY = "&".join(
    f"tokenizers={name}"
    for name in [
        "o200k_base",
        "cl100k_base",
        "deepseek_v3",
        "qwen3",
        "glm4",
        "kimi_k2",
        "llama3",
        "gemma3",
        "mistral_v3",
        "mistral_v2",
        "mistral_v1",
        "llama2",
    ]
)

pytestmark = pytest.mark.e2e


@pytest.fixture
def compare(app) -> str:
    return f"{app}/compare"


def test_the_chart_of_a_question_is_saved_as_svg_and_png(compare, open_page):
    page = open_page(f"{compare}?lang=en&view=languages&{EVERY}")
    menu = page.get_by_label("Save the chart")
    expect(page.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(1)
    saved = {}
    for kind in ("Save as SVG", "Save as PNG"):
        with page.expect_download() as download:
            menu.click()
            page.get_by_role("button", name=kind).click()
        saved[kind.split()[-1]] = download.value.path().read_bytes()
    drawn = ElementTree.fromstring(saved["SVG"])
    assert drawn.tag.endswith("svg")
    assert "Kimi K2" in "".join(drawn.itertext())
    assert "rgb(86, 91, 99)" in {each.get("fill") for each in drawn.iter()}
    assert saved["PNG"].startswith(b"\x89PNG")
    page.emulate_media(color_scheme="dark")
    shown = page.locator('[data-testid="stVegaLiteChart"] svg text', has_text="Kimi K2").first
    expect(shown).to_have_css("fill", "rgb(179, 184, 192)")
