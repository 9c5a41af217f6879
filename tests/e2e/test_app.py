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
    page.get_by_text("全部数字", exact=True).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()

    go(page, "成本")
    expect(page.get_by_text("DeepSeek", exact=False).first).to_be_visible()

    go(page, "学习")
    page.locator(".player > summary").click()
    expect(page.get_by_role("slider", name="已完成的合并")).to_be_visible()
