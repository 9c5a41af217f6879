"""Every page passes axe in both languages and both themes, Streamlit's own parts included."""

from importlib.resources import files

import pytest

from tests.e2e.waiting import settled

pytestmark = pytest.mark.e2e

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

# Each violation as its rule and the elements; what lies in a component of ours has several parts.
VIOLATIONS = """
async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap(
  ({ id, nodes }) => nodes.map(({ target, html }) => [id, target.flat().join(" "), html])
)
"""


@pytest.mark.parametrize("page", ["", "compare", "cost", "learn"])
def test_a_page_has_no_violation(app, open_page, page):
    found = set()
    for language in ("en", "zh"):
        opened = open_page(f"{app}/{page}?lang={language}", viewport={"width": 1280, "height": 900})
        settled(opened)
        opened.add_script_tag(content=AXE)
        for scheme in ("light", "dark"):
            opened.emulate_media(color_scheme=scheme)
            opened.wait_for_timeout(500)
            for rule, target, html in opened.evaluate(VIOLATIONS):
                found.add((rule, target[-160:], html[:200]))
    assert not found, "\n".join(map(str, sorted(found)))
