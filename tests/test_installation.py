"""The package as someone else installs it: a wheel in an empty environment, without the checkout.

The environment holds the wheel and, as links, the installed packages that its metadata asks for,
with what these ask for; nothing is downloaded. What is not declared cannot be imported there.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import bpe
from bpe.compiled import loading
from bpe.compiled.loading.cache import Cache
from dependencies import kernels

LINUX = pytest.mark.skipif(not loading.can_link, reason="where kernels can be linked")
ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def run(
    *command: object, stdin: bytes = b"", code: int = 0, cwd: Path
) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(part) for part in command], input=stdin, capture_output=True, cwd=cwd, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    return done


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """Build a wheel from an sdist, and that from a checkout whose addresses are filled in."""
    source = tmp_path_factory.mktemp("source")
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, source)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("bpe", "dependencies", "playground", "tests"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    publish = [sys.executable, "-m", "dependencies.publish"]
    run(*publish, "--check", code=1, cwd=source)
    run(*publish, "OWNER/NAME", "https://playground.example", code=1, cwd=source)
    for owner in ("another", "somebody", "somebody"):
        run(*publish, f"{owner}/playground", f"https://{owner}.example", cwd=source)
    with pytest.MonkeyPatch.context() as patch:  # compiled for this machine, which takes no time
        patch.setattr(loading, "SHIPPED", Cache([source / "bpe" / "compiled" / "shipped"]))
        kernels.ship()
    dist = source / "dist"
    build = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    run(sys.executable, "-c", build, cwd=source)
    (sdist,) = dist.iterdir()
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    run(*pip, "--wheel-dir", dist, sdist, cwd=source)
    (built,) = dist.glob("*.whl")
    return built


def test_an_sdist_has_what_a_wheel_is_made_of_and_no_more(wheel):
    with tarfile.open(*wheel.parent.glob("*.tar.gz")) as sdist:
        paths = [Path(name).parts[1:] for name in sdist.getnames()]
    assert {parts[0] for parts in paths if parts} == {
        *("LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "bpe", "bpe_playground.egg-info"),
        *("pyproject.toml", "setup.cfg", "setup.py"),
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("bpe/")}
    assert packed == {path for path in map("/".join, paths) if path in packed}


def test_the_addresses_of_a_release_are_those_of_its_repository(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        shown = archive.read(name).decode()
    repository = "https://github.com/somebody/playground"
    assert f"Project-URL: Repository, {repository}\n" in shown
    targets = re.findall(r"\]\(([^)]+)\)", shown)
    assert f"{repository}/raw/HEAD/docs/pictures/train.webp" in targets
    assert f"{repository}/blob/HEAD/docs/models.md" in targets
    assert "https://somebody.example" in targets
    assert [target for target in targets if not target.startswith("https://")] == []
    source = wheel.parents[1]
    for page in ("README.md", "README.zh-CN.md", "mkdocs.yml", "pyproject.toml", "CITATION.cff"):
        text = (source / page).read_text("utf-8")
        assert "somebody/playground" in text
        assert not re.search("OWNER|https://another|/another/", text)
        assert not re.search("OWNER|example|somebody", (ROOT / page).read_text("utf-8"))


class Environment:
    """A virtual environment that holds the wheel and what it declares, but for some packages."""

    def __init__(
        self,
        directory: Path,
        wheel: Path,
        extras: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
    ) -> None:
        venv.create(directory, with_pip=False)
        self.elsewhere = directory / "elsewhere"
        self.elsewhere.mkdir()
        scripts = "Scripts" if sys.platform == "win32" else "bin"
        self.python = directory / scripts / "python"
        self.command = directory / scripts / "bpe"
        (packages,) = directory.glob("lib/python*/site-packages")
        declared = [*PROJECT["dependencies"], *(line for name in extras for line in EXTRAS[name])]
        for name in {*needed(declared, (), set())}.difference(without):
            link(name, packages)
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-index"]
        run(*pip, "--no-deps", wheel, cwd=self.elsewhere)

    def bpe(self, *arguments: object, stdin: bytes = b"", code: int = 0) -> str:
        done = run(self.command, *arguments, stdin=stdin, code=code, cwd=self.elsewhere)
        return (done.stdout + done.stderr).decode()

    def execute(self, script: str) -> str:
        return run(self.python, "-c", script, cwd=self.elsewhere).stdout.decode().strip()


def needed(requirements: Iterable[str], extras: Iterable[str], seen: set[str]) -> Iterator[str]:
    """Yield the names of all distributions that the requirements ask for, directly or not."""
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        key = f"{requirement.name}{sorted(requirement.extras)}"
        if key not in seen:
            seen.add(key)
            installed = distribution(requirement.name)
            assert requirement.specifier.contains(installed.version), requirement
            yield requirement.name
            yield from needed(installed.requires or (), requirement.extras, seen)


def link(name: str, packages: Path) -> None:
    """Make the files of an installed distribution importable in ``packages``."""
    installed = distribution(name)
    tops = {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}
    assert tops, f"{name} does not say which files it has"
    for top in tops:
        target = packages / top
        if not target.exists():
            target.symlink_to(Path(str(installed.locate_file(top))))


@pytest.fixture(scope="session")
def plain(tmp_path_factory, wheel) -> Environment:
    return Environment(tmp_path_factory.mktemp("plain"), wheel)


def test_only_the_library_is_packed_with_its_version_and_types(plain):
    script = (
        "import bpe\n"
        "from importlib.metadata import files, version\n"
        "paths = [file.as_posix() for file in files('bpe-playground')]\n"
        "places = {path.partition('/')[0] for path in paths} - {'..'}\n"
        "print(*[place for place in places if not place.endswith('.dist-info')])\n"
        "print('bpe/py.typed' in paths, bpe.__version__ == version('bpe-playground'))"
    )
    assert plain.execute(script) == "bpe\nTrue True"


IMPORT_ALL = """
import importlib, pkgutil, bpe
for module in pkgutil.walk_packages(bpe.__path__, "bpe.", onerror=lambda name: None):
    if not module.name.endswith("__main__") and module.name.startswith("bpe.scale") <= {scale}:
        importlib.import_module(module.name)
print("site-packages" in bpe.__file__)
"""


def test_every_module_but_those_of_many_files_can_be_imported_without_an_extra(plain):
    assert plain.execute(IMPORT_ALL.format(scale=False)) == "True"


def test_many_files_need_an_extra_and_say_which(plain, wheel, tmp_path):
    with_cluster = Environment(tmp_path, wheel, ("cluster",))
    assert with_cluster.execute(IMPORT_ALL.format(scale=True)) == "True"
    (plain.elsewhere / "a.txt").write_text("low", "utf-8")
    said = plain.bpe("count-words", "a.txt", "-o", "a.counts.parquet", code=2)
    assert "pip install 'bpe-playground[cluster]'" in said
    words = plain.execute("import bpe; print(dict(bpe.count_words(['low'], bpe.Recipe())))")
    assert words == "{b'low': 1}"


@LINUX
def test_a_wheel_that_brings_kernels_needs_no_compiler(tmp_path, wheel, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script = (
        "import bpe, sys; from bpe import compiled; compiled.prefer_this_processor()\n"
        "compiled.warm(background=False)\n"
        "print(compiled.ready(), compiled.is_linked(), 'numba' in sys.modules, end=' ')\n"
        "print(len(bpe.encoding('gpt2').encode('low 低 ' * 9)), end=' ')\n"
        "print(bpe.train(['low lower lowest'], bpe.Recipe(merges=2)).merges[1].count)"
    )
    environment = Environment(tmp_path / "venv", wheel, without=("numba", "llvmlite"))
    ids = str(len(bpe.encoding("gpt2").encode("low 低 " * 9)))
    assert environment.execute(script).split() == ["True", "True", "False", ids, "3"]
    for file in (tmp_path / "venv").rglob("shipped/*.kernels"):
        file.unlink()
    assert environment.execute(script).split() == ["False", "False", "False", ids, "3"]


def test_the_example_of_the_readme_runs(plain):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    plain.execute(example)
    assert (plain.elsewhere / "tokenizer.json").is_file()


def test_a_tokenizer_is_trained_and_used_by_the_command(plain):
    corpus = plain.elsewhere / "corpus.txt"
    corpus.write_text("看路，看天。看路灯。low lower lowest\n" * 3, "utf-8")
    plain.bpe("train", corpus, "--vocab-size", "270", "--output", "mine.json")
    ids = plain.bpe("encode", "-t", "mine.json", stdin="看路 low".encode())
    assert plain.bpe("decode", "-t", "mine.json", stdin=ids.encode()) == "看路 low"


def test_prices_need_an_extra_and_say_which(plain, wheel, tmp_path):
    cost = ("cost", "-m", "gpt-5", "--input-tokens", "1000000")
    assert "pip install 'bpe-playground[prices]'" in plain.bpe(*cost, code=2)
    assert "$1.25" in Environment(tmp_path, wheel, ("documents", "prices")).bpe(*cost)


def pinned(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text("utf-8").split()
    return dict(line.split("==") for line in lines if "==" in line)


def test_what_the_app_installs_lies_within_the_declared_ranges():
    here, tested = pinned("requirements.txt"), pinned("requirements-dev.txt")
    declared = {}
    for requirement in map(Requirement, chain(PROJECT["dependencies"], *EXTRAS.values())):
        if requirement.name != PROJECT["name"]:
            version = {**tested, **here}[requirement.name]
            assert requirement.specifier.contains(version), requirement
            declared[requirement.name] = version
    assert here.items() <= declared.items()
