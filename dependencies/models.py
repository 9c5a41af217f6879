"""``python -m dependencies.models``: write the tables of ``docs/models.md`` from the catalogue."""

import re
from pathlib import Path

from bpe.encoders import catalog
from bpe.encoders.models import calibrations
from bpe.pricing.requests import frames

PAGE = Path(__file__).parents[1] / "docs" / "models.md"


def tables() -> tuple[str, str, str]:
    """Return the table of the vocabularies at hand, that of the estimates, and that of frames."""
    known = "| Models | Vocabulary | Ids | Source | Proof | Date | Licence |\n" + "|---" * 7 + "|\n"
    for entry in catalog.encodings():
        source = entry.source + (f", {entry.more}" if entry.more else "")
        said = "" if entry.exactness == "exact" else "not exact: "
        known += (
            f"| {', '.join(entry.models)} | {entry.name} | {entry.vocabulary_size:,} | {source} "
            f"| {said}{entry.proof} ({entry.reference}) | {entry.date} | {entry.licence} |\n"
        )
    estimated = "| Models | Counted from | Chinese | Other text | Date |\n|---|---|---|---|---|\n"
    for each in calibrations().values():
        chinese, other = (
            f"× {sample.ratio:.2f} ± {sample.error:.0%}" for sample in (each.zh, each.other)
        )
        estimated += f"| {each.name} | {each.encoding} | {chinese} | {other} | {each.date} |\n"
    framed = "| Models | Source of the frame | Date |\n|---|---|---|\n"
    for frame in frames().values():
        framed += f"| `{'`, `'.join(frame.models)}` | <{frame.source}> | {frame.date} |\n"
    return known, estimated, framed


def page(text: str) -> str:
    """Return the text of the page with tables of today in the place of its own."""
    made = iter(tables())
    return re.sub(r"(?:^\|.*\n)+", lambda _: next(made), text, flags=re.MULTILINE)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
