"""What tests of several pages do alike: go to a page, switch its language, name its parts."""

import re

from playwright.sync_api import expect

from tests.e2e.waiting import settled

PAGES = {
    "": ("训练", "Train"),
    "compare": ("对比", "Compare"),
    "cost": ("成本", "Cost"),
    "learn": ("学习", "Learn"),
}


def go(page, title: str) -> None:
    """Go to a page by its link in the header."""
    page.get_by_role("link", name=title).first.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    settled(page)


def read_in(page, language: str) -> None:
    """Switch to a language by the header; a phone has no button for the one that is there."""
    header = page.locator(".st-key-header")
    links = header.get_by_role("link").locator("p")
    expect(links).to_have_text([re.compile("|".join(names)) for names in PAGES.values()])
    settled(page)  # a page that is drawn again may have no links for a moment
    titles = [names[language == "en"] for names in PAGES.values()]
    if links.all_text_contents() != titles:
        name = {"zh": "中文", "en": "English"}[language]
        header.get_by_role("radio", name=name, exact=True).click()
    expect(links).to_have_text(titles)
    page.wait_for_function(f"document.documentElement.lang.startsWith('{language}')")
    settled(page)
