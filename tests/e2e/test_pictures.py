"""The pictures of the README, taken of the app as it is; `make pictures` keeps them in docs/."""

import os
from pathlib import Path

import pytest

from tests.e2e.waiting import settled

pytestmark = pytest.mark.e2e

PICTURES = {
    "train": ("/?lang=en", "en-US", "light"),
    "compare": ("/compare?lang=en", "en-US", "dark"),
    "cost": ("/cost?lang=zh", "zh-CN", "light"),
    "learn": ("/learn?lang=zh&lesson=merge", "zh-CN", "dark"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_each_page(app, open_page, tmp_path, name):
    path, locale, scheme = PICTURES[name]
    folder = Path(os.environ.get("PICTURES", tmp_path))
    page = open_page(
        app + path,
        locale=locale,
        color_scheme=scheme,
        viewport={"width": 1280, "height": 960},
    )
    settled(page)
    page.wait_for_timeout(1500)  # charts fade in
    picture = folder / f"{name}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 90_000
