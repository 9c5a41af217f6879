"""How many tokens an image in a request has, by the formula that its vendor publishes."""

import base64
import binascii
import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from math import ceil, floor, sqrt
from typing import Any

from bpe.pricing.model_table import Model

_LONGEST_HEAD = 200_000
"""Characters of an encoded image in which its size must stand, behind what a camera writes."""
_MOST_PATCHES = 30_000
"""Patches above which OpenAI refuses an image that it does not make smaller."""


def image_tokens(model: Model, part: Mapping[str, Any]) -> int | None:
    """Return the tokens of an image; ``None`` where its size or the vendor's rule is not known."""
    rule, size = rule_of(model), _size(part)
    if rule is None:
        return None
    if rule["kind"] == "tiles" and _detail(part) == "low":
        return int(rule["base"])
    if size is None or not all(size):
        return None
    width, height = size
    match rule["kind"]:
        case "tiles":
            return _tiles(width, height, rule["base"], rule["tile"])
        case "patches":
            limits = rule["detail"].get(str(_detail(part) or "auto"))
            patches = _patches(width, height, *limits) if limits else None
            return None if patches is None else ceil(patches * Decimal(rule["factor"]))
        case "visual":
            return _visual(max(size), min(size), rule["side"], rule["most"])
    if max(width, height) <= 384:
        return 258
    crop = max(1, floor(min(width, height) / 1.5))
    return 258 * ceil(width / crop) * ceil(height / crop)


def rule_of(model: Model) -> Mapping[str, Any] | None:
    """Return the published rule for a model's images, with its source and date."""
    return next(
        (rule for rule in _rules() if any(fnmatchcase(model.id, p) for p in rule["models"])), None
    )


@cache
def _rules() -> list[dict[str, Any]]:
    file = files(__package__).joinpath("images.toml").read_text("utf-8")
    return [*tomllib.loads(file)["rules"]]


def _tiles(width: int, height: int, base: int, tile: int) -> int:
    longer, shorter = sorted(_within(width, height, 2048), reverse=True)
    if shorter > 768:
        longer, shorter = longer * 768 // shorter, 768
    return base + tile * ceil(longer / 512) * ceil(shorter / 512)


def _patches(width: int, height: int, side: int, most: int) -> int | None:
    """Return the squares of 32 of an image within its limits; ``None`` where it is refused."""
    width, height = _within(width, height, side)
    patches = ceil(width / 32) * ceil(height / 32)
    if not most:
        return patches if patches <= _MOST_PATCHES else None
    if patches <= most:
        return patches
    shrink = sqrt(32 * 32 * most / (width * height))
    shrink *= min(floor(edge * shrink / 32) / (edge * shrink / 32) for edge in (width, height))
    return ceil(floor(width * shrink) / 32) * ceil(floor(height * shrink) / 32)


def _visual(longer: int, shorter: int, side: int, most: int) -> int:
    """Return the squares of 28 of the largest size with these proportions within both limits."""
    ratio = longer / shorter

    def squares(edge: int) -> int:
        return ceil(edge / 28) * ceil(max(1, round(edge / ratio)) / 28)

    def too_large(edge: int) -> bool:
        return ceil(edge / 28) * 28 > side or squares(edge) > most

    return squares(bisect_left(range(1, longer + 1), True, key=too_large))


def _within(width: int, height: int, side: int) -> tuple[int, int]:
    """Return the size, made smaller in proportion where a side is longer than ``side``."""
    shrink = min(1.0, side / max(width, height))
    return max(1, round(width * shrink)), max(1, round(height * shrink))


def _detail(part: Mapping[str, Any]) -> Any:
    url = part.get("image_url")
    return part.get("detail", url.get("detail") if isinstance(url, Mapping) else None)


def _size(part: Any) -> tuple[int, int] | None:
    """Return width and height of an image that is within a part, in base64."""
    if isinstance(part, Mapping):
        if isinstance(part.get("width"), int) and isinstance(part.get("height"), int):
            return part["width"], part["height"]
        return next(filter(None, map(_size, part.values())), None)
    if not isinstance(part, str) or len(part) < 24:
        return None
    data = re.sub(r"^data:[^,]*,", "", part[: _LONGEST_HEAD // 4 * 4 + 100])
    try:
        head = base64.b64decode(data[: min(len(data), _LONGEST_HEAD) // 4 * 4])
    except (ValueError, binascii.Error):
        return None
    return _size_in(head)


def _size_in(head: bytes) -> tuple[int, int] | None:
    """Return the size that the head of a PNG, GIF, WebP or JPEG states."""
    if head.startswith(b"\x89PNG") and len(head) >= 24:
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    if head.startswith(b"GIF8"):
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[8:16] == b"WEBPVP8X":
        width, height = (int.from_bytes(head[start : start + 3], "little") for start in (24, 27))
        return width + 1, height + 1
    if head[8:16] == b"WEBPVP8L":
        bits = int.from_bytes(head[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if head[8:16] == b"WEBPVP8 ":
        width, height = (int.from_bytes(head[start : start + 2], "little") for start in (26, 28))
        return width & 0x3FFF, height & 0x3FFF
    place = 2 if head.startswith(b"\xff\xd8") else len(head)
    while place + 9 < len(head):  # the segments of a JPEG
        marker, length = head[place + 1], int.from_bytes(head[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[place + 7 : place + 9]), int.from_bytes(
                head[place + 5 : place + 7]
            )
        place += 2 + length
    return None
