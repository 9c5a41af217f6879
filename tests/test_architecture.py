"""Imports only go down: the floors of the library, and what the app and the pages may import."""

import ast
import compileall
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import bpe
from tests.each import each

ROOT = Path(__file__).parents[1]


def imported_by(path: Path) -> set[str]:
    return {module.split(".")[0] for module in full_names_imported_by(path)}


def full_names_imported_by(path: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    return modules


FLOORS = {
    "bpe": (
        *("errors", "progress", "limits", "writing", "reading", "sandbox"),  # the ground
        *("text", "documents", "algorithm", "compiled", "encoders", "files", "training"),
        *("scale", "analysis", "pricing", "teaching", "cli", "tiktoken"),
    ),
    "playground": (
        *("browser", "ui", "session", "own_tokenizers"),
        *("token_view", "editor", "merge_view", "encoding_view", "text_pair"),
        *("train", "compare", "cost", "learn"),  # none of which imports another, see below
        *("share", "navigation"),
    ),
}
"""The packages from the ground up: each may import those before it, never those behind it."""


@cache
def modules() -> dict[str, Path]:
    paths = [
        path for base in ("bpe", "playground", "pages") for path in (ROOT / base).rglob("*.py")
    ]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


@cache
def imports_of_all() -> dict[str, set[str]]:
    """Which module imports which, inside functions and for types as well."""
    return {
        module.removesuffix(".__init__"): set(_imports(path)) - {module.removesuffix(".__init__")}
        for module, path in modules().items()
    }


def _imports(path: Path) -> Iterator[str]:
    known = {module.removesuffix(".__init__") for module in modules()}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from names & known or {node.module}


def rooms(base: str) -> Iterator[tuple[str, str, str, str]]:
    """Each import between two packages: the modules, and the packages they are in."""
    for module, imported in imports_of_all().items():
        for other in imported:
            if module.startswith(f"{base}.") and other.startswith(f"{base}."):
                yield module, other, module.split(".")[1], other.split(".")[1]


@pytest.mark.parametrize("base", FLOORS)
def test_packages_import_only_lower_ones(base):
    height = {package: floor for floor, package in enumerate(FLOORS[base])}
    upwards = {
        (module, other)
        for module, other, package, above in rooms(base)
        if package != "__main__" and height[above] > height[package]
    }
    assert upwards == set()


def test_no_page_draws_with_what_another_draws():
    drawn = {"train", "compare", "cost", "learn"}
    assert not [
        (module, other)
        for module, other, folder, another in rooms("playground")
        if folder != another and {folder, another} <= drawn
    ]


def test_no_two_files_import_each_other_in_a_circle():
    """So each can be imported first: none leans on another having been there."""
    TopologicalSorter(imports_of_all()).prepare()  # names the first circle it finds


@each(sorted((ROOT / "bpe").rglob("*.py")))
def test_imports_inside_functions_say_why(path):
    """On the line, above it or, for all of the file, at its head; else they belong to the top."""
    text = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    ours = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.col_offset and node.module
        if node.module.split(".")[0] == "bpe" and not _is_for_types(node, tree)
    ]
    said = {
        node.end_lineno
        for node in ours
        if "#" in lines[node.end_lineno - 1] or lines[node.lineno - 2].lstrip().startswith("#")
    }
    for node in ours:  # several in a row have one reason
        if node.lineno - 1 in said:
            said.add(node.end_lineno)
    if "is imported only" not in (ast.get_docstring(tree) or ""):
        assert not [lines[node.lineno - 1] for node in ours if node.end_lineno not in said]


def _is_for_types(node: ast.ImportFrom, tree: ast.Module) -> bool:
    blocks = [part for part in tree.body if isinstance(part, ast.If)]
    return any(node in part.body for part in blocks if "TYPE_CHECKING" in ast.unparse(part.test))


@each(sorted((ROOT / "bpe").rglob("*.py")))
def test_the_library_knows_nothing_of_the_app(path):
    assert not imported_by(path) & {"streamlit", "altair", "playground", "pages", "app", "unittest"}


@each([ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")),
       *sorted((ROOT / "playground").rglob("*.py"))])  # fmt: skip
def test_the_state_of_a_session_is_touched_in_ui_alone(path):
    if "ui" not in path.parts:
        assert "session_state" not in path.read_text(encoding="utf-8")


@each(sorted((ROOT / "playground").rglob("*.py")))
def test_what_pages_share_imports_no_page(path):
    assert not imported_by(path) & {"pages", "app"}


@each([*sorted((ROOT / "fuzz").glob("*.py")), *sorted((ROOT / "benchmarks").glob("*.py"))])
def test_searches_and_measurements_share_what_supports_tests_alone(path):
    """What they share is in tests/support, which imports neither."""
    other = {"fuzz": "benchmarks", "benchmarks": "fuzz"}[path.parent.name]
    modules = full_names_imported_by(path)
    assert not [name for name in modules if name.split(".")[0] == other]
    assert all(name.startswith("tests.support") for name in modules if name.startswith("tests"))


@each(sorted((ROOT / "tests" / "support").glob("*.py")))
def test_what_supports_tests_imports_none_of_them(path):
    assert not imported_by(path) & {"fuzz", "benchmarks"}
    modules = full_names_imported_by(path)
    assert all(name.startswith("tests.support") for name in modules if name.startswith("tests"))


@each(sorted((ROOT / "pages").glob("*.py")))
def test_pages_are_short_and_import_no_other(path):
    assert not imported_by(path) & {"pages", "app", "regex", "re"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 120


def command(*arguments: str) -> str:
    run = f"import sys; from bpe.cli import main; sys.argv[1:] = {arguments}"
    return f"{run}\ntry: main()\nexcept SystemExit: pass"


@pytest.mark.parametrize(
    ("code", "unneeded"),
    [
        ("import bpe", "(streamlit|altair|numba|numpy|tokenizers)$"),
        ("import bpe.pricing", "(streamlit|genai_prices|httpx2)$"),
        (command("--help"), r"numpy$|bpe\.cli\."),
        (
            command("count", "-t", "gpt-5", "hi"),
            r"(numpy|numba|importlib\.metadata|concurrent\.futures|logging|genai.*)$"
            r"|bpe\.(pricing|files|documents\.documents|analysis)$",
        ),
    ],
)
def test_what_is_not_needed_is_not_imported(code, unneeded):
    code += "\nimport sys; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    modules = run.stdout.splitlines()[-1].split()
    assert [module for module in modules if re.match(unneeded, module)] == []


def test_the_public_names_are_those_of_the_stub():
    names = """
        BPEError CharacterTokenizer Encoder Merge Recipe Tokenizer Training WordCounts
        count_files count_messages count_words encode_files encoding encoding_for_model encodings
        from_hub load register save set_num_threads train
    """
    assert bpe.__all__ == names.split()
    stub = ast.parse((ROOT / "bpe" / "__init__.pyi").read_text("utf-8"))
    homes = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes == bpe._NAMES
    assert all(hasattr(bpe, name) for name in bpe.__all__)


def test_a_listing_of_the_package_has_its_names_and_modules_alone():
    modules = {module.name for module in pkgutil.iter_modules(bpe.__path__)} - {"__main__"}
    assert dir(bpe) == sorted({*bpe.__all__, *modules, "__version__"})
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bpe.nothing  # noqa: B018


@pytest.mark.parametrize("form", ["zip", "compiled"])
def test_the_library_needs_no_files_of_its_sources(form, tmp_path):
    """As in a zipapp, or where sources are stripped from an image."""
    place = tmp_path / "library"
    shutil.copytree(ROOT / "bpe", place / "bpe", ignore=shutil.ignore_patterns("__pycache__"))
    if form == "zip":
        place = Path(shutil.make_archive(str(place), "zip", place))
    else:
        compileall.compile_dir(place, legacy=True, quiet=1)
        for source in place.rglob("*.py"):
            source.unlink()
    code = "import bpe; print(bpe.train(['low lower'], bpe.Recipe(merges=2)).encode('lowest'))"
    environment = {**os.environ, "PYTHONPATH": str(place)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "[257, 101, 115, 116]\n"


CEILINGS = {
    "lines of source": 46_193,
    "files": 255,
    "value types": 141,
    "casts to a kind of encoder": 0,
    "public names of Encoder": 39,
    "public names of bpe": 21,
    "lines of tests": 25_554,
}
"""What there was at most. They only fall: who adds takes out as much."""


def test_the_house_does_not_grow():
    source = [*modules().values(), ROOT / "app.py"]
    nodes = [node for path in source for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    marks = [" ".join(map(ast.unparse, (*node.decorator_list, *node.bases))) for node in classes]
    casts = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call) and node.args]
    sizes = {
        "lines of source": sum(map(lines_of, source)),
        "files": len(source),
        "value types": sum(bool(re.search("dataclass|NamedTuple|TypedDict", m)) for m in marks),
        "casts to a kind of encoder": sum(
            bool(re.match(r"(typing\.)?cast\(['\"\w. |]*(Tokenizer|Encoder|Encoding)\b", call))
            for call in casts
        ),
        "public names of Encoder": len(
            {*vars(bpe.Encoder), *bpe.Encoder.__annotations__}
            - {name for name in vars(bpe.Encoder) if name[0] == "_"}
        ),
        "public names of bpe": len(bpe.__all__),
        "lines of tests": sum(map(lines_of, (ROOT / "tests").rglob("*.py"))),
    }
    assert {name: size for name, size in sizes.items() if size > CEILINGS[name]} == {}, sizes


def lines_of(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_each_module_says_what_it_is():
    paths = [*(ROOT / "bpe").rglob("*.py"), *(ROOT / "playground").rglob("*.py")]
    assert not [path for path in paths if not ast.get_docstring(ast.parse(path.read_text()))]
