"""Joins the ES modules of a component to one script, and its style sheets to one sheet.

Streamlit takes the script of a component as one module, without files beside it, and sends it with
every drawing, so imports cannot stay in it. :func:`script` follows them from the component's own
file and wraps each module in a function that returns what it exports: the other names in it stay
private. Comments, most of which are types, and indents are not sent. Of the language of modules
this reads ``import { … } from "./…"``, ``import "./…"``, ``export`` before a declaration, and
``export default`` in the component's own file; anything else raises :class:`ValueError`.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_ROOT = Path(__file__).resolve().parents[1]
_IMPORT = {
    ".js": re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)"\n', re.MULTILINE),
    ".css": re.compile(r'^@(import) "(\.[^"]+)";\n', re.MULTILINE),
}
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_NOT_READ = re.compile(r"^(?:import|export(?! default))\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/[ \t]*)\n", re.MULTILINE)
_INDENT = re.compile(r"\n\s+")


def component(name: str, script_file: str, sheet: str = "") -> Any:
    """Register a component, whose script and style sheet are files below ``playground/``."""
    css = style(_ROOT / sheet) if sheet else None
    return st.components.v2.component(name, css=css, js=script(_ROOT / script_file))


def script(path: Path) -> str:
    """Return the script of a component: its own file, after all that it imports."""
    *modules, own = order(path)
    return "\n".join([*map(_wrapped, modules), _bound(own)])


def style(path: Path) -> str:
    return "".join(_IMPORT[".css"].sub("", _read(sheet)) for sheet in order(path))


def order(path: Path) -> list[Path]:
    """Return a file after all that it imports, each once."""
    ordered: list[Path] = []
    open_: list[Path] = []  # files whose imports are being followed

    def visit(file: Path) -> None:
        if file in open_:
            raise ValueError(f"{file.name} imports itself by way of {open_[-1].name}.")
        if file not in ordered:
            open_.append(file)
            for _, imported in _IMPORT[file.suffix].findall(_read(file)):
                visit((file.parent / imported).resolve())
            ordered.append(open_.pop())

    visit(path.resolve())
    return ordered


@cache
def _read(file: Path) -> str:
    return _INDENT.sub("\n", _COMMENT.sub("", file.read_text(encoding="utf-8")))


@cache
def _wrapped(module: Path) -> str:
    code = _bound(module)
    exported = ", ".join(_EXPORT.findall(code))
    code = _EXPORT.sub("", code)
    return f"const {_name(module)} = (() => {{\n{code}return {{ {exported} }}\n}})()"


def _bound(module: Path) -> str:
    """Return the code of a module, what it imports taken from the modules before it."""

    def binding(match: re.Match[str]) -> str:
        if match[1] is None:
            return ""
        source = _name((module.parent / match[2]).resolve())
        return f"const {{{match[1].replace(' as ', ': ')}}} = {source}\n"

    code = _IMPORT[".js"].sub(binding, _read(module))
    if not_read := _NOT_READ.search(_EXPORT.sub("", code)):
        raise ValueError(f"{module.name} cannot be joined to a script: {not_read[0]}")
    return code


def _name(module: Path) -> str:
    return "$" + "_".join(module.with_suffix("").relative_to(_ROOT).parts)
