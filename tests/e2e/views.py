"""What tests of several pages do alike: go to a page, switch its language, name its parts."""

import re

from playwright.sync_api import expect

from tests.e2e.waiting import settled, until

PAGES = {
    "": ("训练", "Train"),
    "compare": ("对比", "Compare"),
    "cost": ("成本", "Cost"),
    "learn": ("学习", "Learn"),
}


class View:
    """An app with one of our components, and the parts of it by name."""

    def __init__(self, page):
        self.page = page
        self.said = page.get_by_test_id("stText")  # what the app writes

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)


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
    until(page, f"document.documentElement.lang.startsWith('{language}')")
    settled(page)


def in_colours(page, scheme: str) -> None:
    """Show what follows dark or light, which changes nothing but colours."""
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)


def drag(slider, step: int) -> None:
    """Drag a slider of ours to a step."""
    slider.evaluate(
        "(node, step) => { node.value = step; node.dispatchEvent(new Event('input')) }", step
    )
