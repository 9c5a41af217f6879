"""The pictures of the README, taken of the app as it is; `make pictures` keeps them in docs/."""

import io
import os
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.waiting import settled, still

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif("PICTURES" not in os.environ, reason="`make pictures` takes them"),
]

PICTURES = {
    "compare": ("/compare?lang=en", "en-US", "dark", ".view .token"),
    "cost": ("/cost?lang=zh", "zh-CN", "light", "[data-testid=stVegaLiteChart] svg"),
    "learn": ("/learn?lang=zh&lesson=merge", "zh-CN", "dark", ".words .word"),
}


WINDOW = {"width": 1280, "height": 960}
FRAMES = 25
MOVE = """(slider, to) => {
  slider.value = to
  slider.dispatchEvent(new Event("input"))
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
}"""


@pytest.fixture
def folder() -> Path:
    return Path(os.environ["PICTURES"])


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_each_page(app, open_page, folder, name):
    path, locale, scheme, last = PICTURES[name]
    page = open_page(app + path, locale=locale, color_scheme=scheme, viewport=WINDOW)
    expect(page.locator(last).last).to_be_attached()
    still(page)
    picture = folder / f"{name}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 90_000


def test_a_moving_picture_of_the_training(app, open_page, folder):
    page = open_page(f"{app}/?lang=en", locale="en-US", color_scheme="light", viewport=WINDOW)
    settled(page)
    slider = page.get_by_role("slider", name="Vocabulary size")
    slider.wait_for()
    frames = []
    for at in range(FRAMES):
        slider.evaluate(MOVE, at / (FRAMES - 1))
        frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    assert all(one.tobytes() != next_.tobytes() for one, next_ in pairwise(frames))
    picture = folder / "train.webp"
    times = [1500, *[240] * (FRAMES - 2), 3000]  # milliseconds
    frames[0].save(
        picture, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=70
    )
    assert picture.stat().st_size < 2_000_000
