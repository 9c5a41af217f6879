"""Every text of every page can be read in both themes: contrast AA of WCAG 2.2, in the browser."""

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.e2e.waiting import settled

pytestmark = pytest.mark.e2e

# Contrasts below 4.5 (3 for large text) of visible text with what is behind it, whatever element
# that colour and that opacity come from. Left out: what is switched off, and a slider's value,
# which stands above the thumb that holds it.
TOO_PALE = """
() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], back) => [r, g, b].map((v, i) => v * a + back[i] * (1 - a));
  const luminance = (colour) => colour
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const above = (element) => element.parentElement ?? element.getRootNode().host ?? null;
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
      const layers = [];
      for (let each = element; each; each = above(each)) layers.push(getComputedStyle(each));
      let back = [255, 255, 255];
      let opacity = 1;
      for (const layer of layers.reverse()) {
        opacity *= Number(layer.opacity);
        const [r, g, b, a] = rgba(layer.backgroundColor);
        back = over([r, g, b, a * opacity], back);
      }
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


OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def assert_readable(page) -> None:
    """In both themes and without scrolling sideways; what is drawn anew fades in."""
    assert page.evaluate(OVERFLOW) <= 0, page.url
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        settled(page)
        try:
            page.wait_for_function(f"({TOO_PALE})().length === 0", timeout=20_000, polling=200)
        except TimeoutError:
            assert page.evaluate(TOO_PALE) == [], (page.url, scheme)


def test_every_text_of_every_page_can_be_read_without_scrolling_sideways(app, open_page):
    page = open_page(app, locale="zh-CN", viewport={"width": 1280, "height": 3000})
    settled(page)
    assert_readable(page)
    for title in ("对比", "成本"):
        page.locator(".st-key-header").get_by_role("link", name=title).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        settled(page)
        assert_readable(page)
    page.get_by_role("radio", name="一个月").click()
    page.wait_for_url("**section=month**")
    settled(page)
    assert_readable(page)
    page.goto(f"{app}/learn?lesson=merge")
    settled(page)
    assert_readable(page)
