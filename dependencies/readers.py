"""``python -m dependencies.readers``: which libraries read what we write, with the same ids.

Each vocabulary of the catalogue is written as ``tokenizer.json`` and read by each library of
:data:`READERS`, in an environment of its own that is made for it. The table in ``docs/formats.md``
says the result.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import bpe
from bpe import files
from bpe.documents import samples
from bpe.files.pieces import HARD

READERS = ("tokenizers==0.23.3", "tokenizers==1.0.0rc3", "snaptokens==0.2.6")
PAGE = Path(__file__).parents[1] / "docs" / "formats.md"
TEXTS = [*HARD, *samples.corpus("en").splitlines()[:200], *samples.corpus("zh").splitlines()[:200]]
_TABLE = re.compile(r"(?<=\n)\| vocabulary \|.*?\n(?=\n)", re.DOTALL)
_READ = """
import importlib, json, sys
library, folder = importlib.import_module(sys.argv[1]), sys.argv[2]
texts = json.load(open(folder + "/texts.json", encoding="utf-8"))
def read(name, expected):
    rows = list(zip(texts, expected))
    try:
        engine = library.Tokenizer.from_file(f"{folder}/{name}.json")
        if hasattr(engine, "encode_special_tokens"):
            engine.encode_special_tokens = True
        else:  # it always finds them
            rows = [(text, ids) for text, ids in rows if "[INST]" not in text]
        ids = [engine.encode(text, add_special_tokens=False) for text, _ in rows]
    except Exception as error:
        return "refused: " + str(error)
    ids = [list(getattr(each, "ids", each)) for each in ids]
    differ = sum(one != other for one, (_, other) in zip(ids, rows))
    return f"{differ} of {len(rows)} texts differ" if differ else "equal"
expected = json.load(open(folder + "/ids.json"))
print(json.dumps({name: read(name, ids) for name, ids in expected.items()}))
"""


def results(folder: Path) -> dict[str, dict[str, str]]:
    """Return for each reader what it says of each vocabulary."""
    ids = {}
    for entry in bpe.encodings():
        encoder = bpe.encoding(entry.name)
        content = files.dumps(encoder, "huggingface")["tokenizer.json"]
        (folder / f"{entry.name}.json").write_bytes(content)
        ids[entry.name] = [encoder.encode_ordinary(text) for text in TEXTS]
    (folder / "ids.json").write_text(json.dumps(ids))
    (folder / "texts.json").write_text(json.dumps(TEXTS), encoding="utf-8")
    return {reader: _said(reader, folder) for reader in READERS}


def _said(reader: str, folder: Path) -> dict[str, str]:
    home = folder / re.sub(r"\W", "_", reader)
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", reader], check=True)
    library = reader.partition("==")[0]
    done = subprocess.run(
        [python, "-c", _READ, library, folder], check=True, capture_output=True, text=True
    )
    said: dict[str, str] = json.loads(done.stdout)
    return said


def table(said: dict[str, dict[str, str]]) -> str:
    head = " | ".join(["vocabulary", *(reader.replace("==", " ") for reader in said)])
    rows = [f"| {head} |", "|---" * (len(said) + 1) + "|"]
    for entry in bpe.encodings():
        cells = (each[entry.name].splitlines()[0] for each in said.values())
        rows.append(f"| {' | '.join([entry.name, *(_short(cell) for cell in cells)])} |")
    return "\n".join(rows) + "\n"


def _short(cell: str) -> str:
    cell = cell.replace("failed to parse tokenizer files: ", "").replace("|", "¦")
    return cell if len(cell) <= 90 else f"{cell[:89].rstrip()}…"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = table(results(Path(place)))
    PAGE.write_text(_TABLE.sub(lambda _: made, PAGE.read_text("utf-8")), encoding="utf-8")
