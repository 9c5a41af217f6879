"""The cost page in a real browser: what leaves it, what can be typed into it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.views import choose, go
from tests.e2e.waiting import settled

SECRET = "绝密的商业计划 top secret"

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def page(shared):
    return shared("cost?lang=en", viewport={"width": 1400, "height": 900})


def test_no_text_is_in_the_url_or_the_log(page, tmp_path_factory):
    page.get_by_role("textbox", name="Chinese", exact=True).fill(SECRET)
    page.get_by_role("button", name="Put its translation beside it").click()
    page.get_by_role("textbox", name="Its translation", exact=True).fill(SECRET)
    settled(page)
    page.get_by_text("Every day for a month", exact=True).click()
    settled(page)
    for hidden in ("top", "%E7%BB%9D", "绝密"):
        assert hidden not in page.url
    logs = list(tmp_path_factory.getbasetemp().glob("streamlit*/log"))
    assert logs
    for log in logs:
        assert "绝密" not in log.read_text(errors="replace")


def test_a_large_file_can_be_stopped_and_gone_on_with(app, open_page, tmp_path):
    rows = tmp_path / "many.csv"
    line = "请把下面这段话翻译成英文，并说明每个术语的意思。" * 40
    rows.write_text("prompt\n" + f"{line}\n" * 1_500, encoding="utf-8")
    page = open_page(f"{app}/cost?section=batch&rows_from=file&lang=en")
    settled(page)
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(rows)
    page.locator(".st-key-stop_counting button").click()
    expect(page.get_by_text("Stopped:")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("for 1,500 prompts")).to_be_visible()


def test_no_table_can_be_saved_as_its_cells_are(page):
    go(page, "Compare")
    choose(page, "view", 2)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    table.hover()
    expect(page.locator('[aria-label^="Search"]').first).to_be_visible()
    assert page.locator('[aria-label^="Download as CSV"]').count() > 0
    for button in page.locator('[aria-label^="Download as CSV"]').all():
        expect(button).to_be_hidden()
