"""The main job in a real browser: upload Chinese text, train, compare, cost."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bpe.documents import samples
from tests.e2e.views import go
from tests.e2e.waiting import settled

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.e2e


@pytest.fixture
def large_file(tmp_path) -> Path:
    """A million bytes of Chinese in GB18030, in which every clause is another."""
    chance = random.Random(7)
    characters = sorted(set(samples.corpus("zh")) - set("，。\n"))
    clauses = ("".join(chance.choices(characters, k=9)) for _ in range(1_000_000 // 20))
    file = tmp_path / "市场.txt"
    file.write_text("，".join(clauses), encoding="gb18030")
    return file


def test_a_megabyte_of_gb18030_is_trained_compared_and_priced(app, open_page, large_file):
    page = open_page(
        f"{app}/?corpus=upload&size=4000&lang=zh", viewport={"width": 1280, "height": 900}
    )
    settled(page)
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(large_file)
    expect(page.get_by_text("GB18030", exact=False).first).to_be_visible()
    expect(page.get_by_text("词表大小").first).to_be_visible()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("4,000")

    go(page, "对比")
    expect(page.get_by_text("你的分词器").first).to_be_visible()
    page.get_by_text("全部数字，以及切法差在哪里").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()

    go(page, "成本")
    expect(page.get_by_text("DeepSeek", exact=False).first).to_be_visible()

    go(page, "学习")
    page.locator(".player > summary").click()
    expect(page.get_by_role("slider", name="已完成的合并")).to_be_visible()


def test_the_first_visitor_of_a_server_may_come_by_a_link_to_a_page(serve, open_page):
    fresh = serve(ROOT / "tests" / ".." / "app.py")  # another spelling, so another server
    page = open_page(f"{fresh}/learn?lang=en&lesson=merge&merge_unit=bytes")
    settled(page)
    expect(page.get_by_role("heading", name="Learn", level=1)).to_be_visible()
    words = page.get_by_role("textbox", name="Words, separated by spaces")
    words.fill("tea teapot")
    expect(page.locator(".rule")).to_contain_text("Next: t e, 2×")
    expect(words).to_have_value("tea teapot")
    assert "merge_unit=bytes" in page.url


def test_a_training_leaves_other_sessions_alone(app, open_page, large_file):
    """The likelihood of all pairs is computed for each merge, so this training lasts longest."""
    chosen = "corpus=upload&size=20000&algorithm=wordpiece&score=likelihood&least=1"
    first = open_page(f"{app}/?lang=en&{chosen}")
    settled(first)
    other = open_page(f"{app}/learn?lang=en&lesson=merge")
    settled(other)
    first.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(large_file)
    first.get_by_test_id("stProgress").wait_for()
    other.get_by_role("radio", name="Bytes", exact=True).click()
    expect(other.locator('input[type="radio"]:checked, [aria-checked="true"]').last).to_be_visible()
    other.wait_for_url("**merge_unit=bytes**")
    assert first.get_by_test_id("stProgress").is_visible(), "the click waited for the training"
