"""What MkDocs builds beside the pages that are here: overview, API, commands, links to the code."""

import posixpath
import re
from typing import Any

from mkdocs.structure.files import File, Files

from docs.cli_reference import reference

API = (
    *("Recipe", "train", "Training", "Encoder", "Tokenizer", "Merge", "CharacterTokenizer"),
    *("encoding", "encodings", "encoding_for_model", "register", "load", "save", "from_hub"),
    *("count_messages", "WordCounts", "count_words", "count_files"),
    *("encode_files", "BPEError"),
)
"""The public names, what one needs first before the rest."""

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    with open("README.md", encoding="utf-8") as readme:
        overview = re.sub(r"\]\(docs/", "](", readme.read())
    api = "\n\n".join(("# API reference", *(f"::: bpe.{name}" for name in API)))
    for name, content in (("index.md", overview), ("api.md", api), ("commands.md", reference())):
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links to files that are no pages lead to the repository, once it has an address."""

    def link(found: re.Match[str]) -> str:
        text, target, after = found.groups()
        if files.get_file_from_path(target):
            return found[0]
        if not config.repo_url:
            return text
        path = posixpath.normpath(posixpath.join("docs", target))
        if page.file.src_uri == "index.md":
            path = posixpath.normpath(target)
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path}{after or ''})"

    return _LINK.sub(link, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Take away the roles of Sphinx, as in :class:`Encoder`, which Markdown does not know."""
    return re.sub(r":[a-z]+:(?=<code>)", "", html)
