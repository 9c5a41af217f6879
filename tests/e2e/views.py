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
    """One of our components on a page of its own, and the parts of it by name."""

    def __init__(self, page):
        self.page = page
        self.said = page.get_by_test_id("stText").last  # what the app writes

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def show(self, name):
        """Let the component show what the app has under that name."""
        # By its role it would be sought among all tokens, too, which may be thousands.
        choices = self.page.locator('[data-testid="stButtonGroup"] [role=radio]')
        choice = choices.filter(has_text=re.compile(f"^{name}$"))
        if not choice.is_checked():
            choice.click()
        self._is_drawn(f"{name}, made anew: ")

    def anew(self, name):
        """Show that in a component that is made anew, and so as at first."""
        self.show(name)
        heading, made = self.page.get_by_test_id("stText").first.inner_text().split(": ")
        self.page.locator('[data-testid="stButton"] button').first.click()
        self._is_drawn(f"{heading}: {int(made) + 1}")

    def _is_drawn(self, heading):
        """Wait until what was there before, which stays for a moment, has gone."""
        expect(self.page.get_by_test_id("stText").first).to_contain_text(heading)
        state = "data-test-script-state"
        expect(self.page.get_by_test_id("stApp")).to_have_attribute(state, "notRunning")
        expect(self.page.locator(":is(.view, .editor)")).to_have_count(1)


def go(page, title: str) -> None:
    """Go to a page by its link in the header."""
    page.get_by_role("link", name=title).first.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    settled(page)


def choose(page, key: str, place: int) -> None:
    """Choose a segment by the key of the row and its place there."""
    segment = page.locator(f".st-key-{key}").get_by_role("radio").nth(place)
    segment.click()
    expect(segment).to_be_checked()
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


def header_is_one_row_and_the_costs_are_on_the_first_screen(page) -> None:
    header = page.locator(".st-key-header")
    assert header.bounding_box()["height"] <= 48
    assert header.bounding_box()["y"] <= 16
    right = header.locator("[role=radio]:visible").bounding_box()  # the other language
    menu = page.get_by_test_id("stMainMenuButton").bounding_box()
    assert right["x"] + right["width"] <= menu["x"]
    assert menu["y"] < 48
    chart = page.locator('[data-testid="stVegaLiteChart"] svg').first
    assert (
        chart.evaluate("chart => chart.getBoundingClientRect().top")
        < 0.75 * page.viewport_size["height"]
    )


def in_colours(page, scheme: str) -> None:
    """Show what follows dark or light, which changes nothing but colours."""
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)


def drag(slider, step: int) -> None:
    """Drag a slider of ours to a step."""
    slider.evaluate(
        "(node, step) => { node.value = step; node.dispatchEvent(new Event('input')) }", step
    )
