"""Every page passes axe in both languages, Streamlit's own parts included.

And every text can be read in both themes: contrast AA of WCAG 2.2, measured through opacities and
shadow roots, into which axe does not look; its own rule on contrast is left out.
"""

from importlib.resources import files

import pytest
from playwright.sync_api import expect

from tests.e2e.views import PAGES, choose, go, in_colours, read_in
from tests.e2e.waiting import still, until

pytestmark = pytest.mark.e2e

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

# Each violation as its rule and the elements; what lies in a component of ours has several parts.
VIOLATIONS = """
async () => (
  await axe.run({
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: false } },
  })
).violations.flatMap(
  ({ id, nodes }) => nodes.map(({ target, html }) => [id, target.flat().join(" "), html])
)
"""


# Contrasts below 4.5 (3 for large text) of visible text with what is behind it, whatever element
# that colour and that opacity come from. Left out: what is switched off, and a slider's value,
# which stands above the thumb that holds it.
TOO_PALE = """
() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const once = (made) => {
    const known = new Map();
    return (of) => known.get(of) ?? known.set(of, made(of)).get(of);
  };
  const rgba = once((colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  });
  const over = ([r, g, b, a], back) => [r, g, b].map((v, i) => v * a + back[i] * (1 - a));
  const luminance = (colour) => colour
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const above = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const behind = once((element) => {
    if (!element) return { back: [255, 255, 255], opacity: 1 };
    const style = getComputedStyle(element);
    const { back, opacity: around } = behind(above(element));
    const opacity = around * Number(style.opacity);
    const [r, g, b, a] = rgba(style.backgroundColor);
    return { back: over([r, g, b, a * opacity], back), opacity };
  });
  const leftOut = "script, style, :disabled, [aria-disabled=true], " +
    "[data-testid=stIconMaterial], [data-testid=stSliderThumbValue]";
  const found = new Set();
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const text = own.map((node) => node.nodeValue).join("").trim();
      if (!text || element.closest(leftOut)) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const style = getComputedStyle(element);
      const { back, opacity } = behind(element);
      const [r, g, b, a] = rgba(element instanceof SVGElement ? style.fill : style.color);
      const front = over([r, g, b, a * opacity], back);
      const [light, dark] = [luminance(front), luminance(back)].sort((x, y) => y - x);
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.add(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
  };
  look(document);
  return [...found];
}
"""


MAIN_WIDTH = "document.querySelector('[data-testid=stMain]').scrollWidth"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def themes(page):
    """Show the page in both themes, one after the other, until nothing fades any more."""
    for scheme in ("light", "dark"):
        in_colours(page, scheme)
        still(page)
        yield scheme


def violations(page) -> list:
    page.mouse.move(1, 1)  # away from what has a tooltip
    until(page, "!document.querySelector('#stFloatingOverlayPortal')?.childElementCount")
    still(page)
    if page.evaluate("typeof axe") == "undefined":
        page.add_script_tag(content=AXE)
    return page.evaluate(VIOLATIONS)


VIEWS = ["text", "languages", "vocabulary"]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 900}


@pytest.fixture(scope="module")
def page(shared):
    return shared("?lang=zh", viewport=WIDE)


def can_be_read(page) -> None:
    assert page.evaluate(OVERFLOW) <= 0
    for scheme in themes(page):
        assert page.evaluate(TOO_PALE) == [], scheme


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_violation_and_can_be_read_without_scrolling_sideways(page, name):
    """In Chinese in a wide window, in English in a narrower one; phones are in another file."""
    page.set_viewport_size(WIDE)
    read_in(page, "zh")
    go(page, PAGES[name][0])
    can_be_read(page)
    assert violations(page) == []
    read_in(page, "en")
    page.set_viewport_size({"width": 768, "height": 900})
    still(page)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(TOO_PALE) == []
    assert violations(page) == []


@pytest.mark.parametrize(
    ("name", "key", "place"), [("cost", "every", 1), ("learn", "lesson", 1)], ids=["month", "merge"]
)
def test_a_month_and_a_lesson_can_be_read_too(page, name, key, place):
    page.set_viewport_size(WIDE)
    read_in(page, "zh")
    go(page, PAGES[name][0])
    choose(page, key, place)
    can_be_read(page)


def test_the_views_of_compare_have_no_violation_and_fit_a_phone(page):
    page.set_viewport_size(WIDE)
    read_in(page, "zh")
    go(page, "对比")
    for view in ("languages", "vocabulary"):
        page.set_viewport_size(PHONE)
        choose(page, "view", VIEWS.index(view))
        shown = page.locator('[data-testid="stVegaLiteChart"] svg, [data-testid="stDataFrame"]')
        expect(shown.first).to_be_visible()
        assert page.evaluate(MAIN_WIDTH) <= PHONE["width"], view
        page.set_viewport_size(WIDE)
        assert violations(page) == [], view
        assert page.evaluate(TOO_PALE) == [], view
    choose(page, "vocabulary_section", 3)
    assert violations(page) == []
