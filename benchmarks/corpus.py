"""A corpus that anyone can build again: documentation that Debian ships in Chinese and English.

``apt-get download`` fetches the packages, ``dpkg-deb`` unpacks them, and what is left of HTML pages
and manual pages after the mark-up is gone becomes ``build/corpus/{en,zh,mixed}.txt``. A line that
was there before (menus, licences) is left out; a line of the Chinese corpus has a 汉字. Our sample
texts come first. The corpora are cut at 20 MB: the last 5 MB of the Chinese one are not prose, but
what programs say to their users.
"""

import gzip
import html
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib

from bpe.documents.samples import corpus as sample_text

BUILD = Path("build")
LANGUAGES = ("en", "zh")
PACKAGES = {
    "en": (
        "debian-reference-en",
        "debian-edu-doc-en",
        "debian-faq",
        "libreoffice-help-en-us",
        "gimp-help-en",
        "kicad-doc-en",
        "lilypond-doc-html",
        "git-doc",
        "python3-doc",
        "postgresql-doc-15",
        "manpages-dev",
    ),
    "zh": (
        "debian-reference-zh-cn",
        "debian-reference-zh-tw",
        "debian-edu-doc-zh-cn",
        "debian-faq-zh-cn",
        "maint-guide-zh-cn",
        "libreoffice-help-zh-cn",
        "libreoffice-help-zh-tw",
        "gimp-help-zh-cn",
        "kicad-doc-zh",
        "lilypond-doc-html-zh",
        "manpages-zh",
        "fortunes-zh",
        "debian-handbook",
        "linux-doc-6.1",
        "installation-guide-amd64",
        "debmake-doc",
        "gnome-user-docs",
        "debian-edu-doc-legacy-zh-cn",
        "maint-guide-zh-tw",
        "mediawiki",
        "wordpress-l10n",
        "libreoffice-l10n-zh-cn",
        "libreoffice-l10n-zh-tw",
        "gimp-data",
        "git",
        "gnucash-common",
        "evolution-common",
        "gcc-12-locales",
        "phpmyadmin",
        "audacity-data",
        "subversion",
        "blender-data",
    ),
}
MOST_BYTES = 20_000_000

_CHINESE_PLACE = re.compile(r"(?i)[/._-]zh([/._-]|$)")
_HAN = re.compile("[\u3400-\u9fff]")
_TAGS = re.compile(r"(?s)<(script|style|head)\b.*?</\1>|<!--.*?-->|<[^>]*>")
_REQUEST = re.compile(r"(?m)^[.'].?.?(?:\s|$)|\\f[BIRP]|\\s[-+]?\d|^\.\\\".*$")


def build(build_directory: Path = BUILD) -> dict[str, Path]:
    """Return the paths of the corpora ``en``, ``zh`` and ``mixed``, built if they are not there."""
    paths = {name: build_directory / "corpus" / f"{name}.txt" for name in (*LANGUAGES, "mixed")}
    if all(path.exists() for path in paths.values()):
        return paths
    lines = {}
    for language in LANGUAGES:
        lines[language] = list(_lines(language, build_directory))
        _write(paths[language], lines[language])
    halves = [_cut(lines[language], MOST_BYTES // 2) for language in LANGUAGES]
    _write(paths["mixed"], _alternate(*halves))
    return paths


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(_cut(lines, MOST_BYTES)), encoding="utf-8", newline="\n")


def _cut(lines: Iterable[str], most_bytes: int) -> list[str]:
    chosen = []
    for line in lines:
        most_bytes -= len(line.encode())
        if most_bytes < 0:
            break
        chosen.append(line)
    return chosen


def _alternate(*halves: list[str], lines_at_once: int = 40) -> list[str]:
    parts = [
        [half[at : at + lines_at_once] for at in range(0, len(half), lines_at_once)]
        for half in halves
    ]
    longest = max(map(len, parts))
    return [line for at in range(longest) for half in parts if at < len(half) for line in half[at]]


def _lines(language: str, build_directory: Path) -> Iterator[str]:
    yield from sample_text(language).splitlines(keepends=True)
    seen: set[str] = set()
    for package in PACKAGES[language]:
        for document in _documents(_unpacked(package, build_directory), language):
            for line in document.splitlines():
                line = line.strip()
                if len(line) < 4 or line in seen or (language == "zh" and not _HAN.search(line)):
                    continue
                seen.add(line)
                yield line + "\n"


def _unpacked(package: str, build_directory: Path) -> Path:
    """Fetch and unpack a Debian package; return the directory of its files."""
    directory = build_directory / "debian" / package
    if not directory.exists():
        directory.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=directory.parent, check=True)
        archive = next(directory.parent.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", archive, directory], check=True)
        archive.unlink()
    return directory


def _documents(directory: Path, language: str) -> Iterator[str]:
    """Yield the texts below a directory; of Chinese, those in a place that is named for it."""
    for path in sorted(directory.rglob("*")):
        place = path.as_posix()
        if not path.is_file() or path.is_symlink():
            continue
        if language == "zh" and not _CHINESE_PLACE.search(place):
            continue
        if path.suffix in (".html", ".page"):
            yield _without_tags(path.read_text("utf-8", "replace"))
        elif path.suffix == ".gz" and "/man/" in place:
            yield _REQUEST.sub("", gzip.decompress(path.read_bytes()).decode("utf-8", "replace"))
        elif "/fortunes/" in place and not path.suffix:
            yield path.read_text("utf-8", "replace")
        elif path.suffix == ".mo":
            messages = sorted(entry.msgstr for entry in polib.mofile(place))
            yield _without_tags("\n".join(messages))
        elif path.suffix == ".json" and "/i18n/" in place:
            messages = [text for text in json.loads(path.read_bytes()).values() if text is not None]
            yield _without_tags("\n".join(map(str, messages)))


def _without_tags(text: str) -> str:
    return html.unescape(_TAGS.sub("", text))
