"""The modules of the browser: who may import whom, and that each component's join to a script."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from playground import browser
from tests.each import each

PLAYGROUND = Path(browser.__file__).parents[1]
MODULES = sorted(PLAYGROUND.rglob("*.js"))
COMPONENTS = [path for path in MODULES if "export default" in path.read_text(encoding="utf-8")]
_FROM = re.compile(r'(?:^import|\bfrom) "(\.[^"]+)"', re.MULTILINE)


def imported_by(path: Path) -> set[Path]:
    """What a module imports, the types in its comments included."""
    return {
        (path.parent / name).resolve() for name in _FROM.findall(path.read_text(encoding="utf-8"))
    }


PAGES = {PLAYGROUND / name for name in ("train", "compare", "cost", "learn")}
SHARED = {PLAYGROUND / name for name in ("editor", "token_view", "merge_view", "encoding_view")}
"""The folders of components that no page owns; what a page draws may use them, not each other."""


@each(MODULES)
def test_a_module_imports_its_own_folder_and_what_stands_below(path):
    assert imported_by(path) <= set(MODULES)
    allowed = {path.parent, PLAYGROUND / "browser"}
    if PAGES & set(path.parents):
        allowed |= SHARED
    assert {other.parent for other in imported_by(path)} <= allowed


def test_no_two_modules_import_each_other_in_a_circle():
    TopologicalSorter({path: imported_by(path) for path in MODULES}).prepare()


@each(COMPONENTS)
def test_the_script_of_a_component_has_each_module_once_and_no_import(path):
    modules = browser.order(path)
    script = browser.script(path)
    assert len(set(modules)) == len(modules)
    assert modules[-1] == path
    assert len(re.findall(r"^export default ", script, re.MULTILINE)) == 1
    assert not re.search(r"^(import|export (?!default))", script, re.MULTILINE)


def test_every_module_is_in_a_script():
    assert {module for path in COMPONENTS for module in browser.order(path)} == set(MODULES)


@each(MODULES)
def test_no_text_goes_over_several_lines_whose_indents_are_not_sent(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if not line.lstrip().startswith(("//", "/*", "*"))]
    quotes = [re.sub(r'"[^"]*"|/\(.*\)/|// .*', "", line).count("`") for line in code]
    assert not [line for line, number in zip(code, quotes, strict=True) if number % 2]


def test_a_module_is_joined_after_what_it_imports(tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "_ROOT", tmp_path)
    (tmp_path / "own.js").write_text(
        'import { two as twice } from "./two.js"\n\nexport default twice\n', encoding="utf-8"
    )
    (tmp_path / "two.js").write_text(
        '// Two of one.\nimport { one } from "./one.js"\n\n/** Two.\n *  @type {number} */\n'
        "export const two = 2 * one\n",
        encoding="utf-8",
    )
    (tmp_path / "one.js").write_text("export const one = 1 // and a half\n", encoding="utf-8")
    assert browser.script(tmp_path / "own.js").replace("\n\n", "\n") == (
        "const $one = (() => {\nconst one = 1 // and a half\nreturn { one }\n})()\n"
        "const $two = (() => {\nconst { one } = $one\nconst two = 2 * one\nreturn { two }\n})()\n"
        "const { two: twice } = $two\nexport default twice\n"
    )


@pytest.mark.parametrize(
    "line",
    ["import x from './x.js'", "import * as x from './x.js'", "export { x }", "export let x"],
)
def test_what_cannot_be_joined_is_said(line, tmp_path):
    path = tmp_path / "own.js"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"own.js cannot be joined to a script: {line}")):
        browser.script(path)


def test_a_ring_of_imports_is_said(tmp_path):
    for name, other in ("one", "two"), ("two", "one"):
        (tmp_path / f"{name}.js").write_text(f'import "./{other}.js"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"one\.js imports itself by way of two\.js"):
        browser.script(tmp_path / "one.js")
