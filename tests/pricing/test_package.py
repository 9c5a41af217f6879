"""What the package exports, and what importing it costs."""

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from bpe import pricing


def test_the_values_are_frozen():
    with pytest.raises(FrozenInstanceError):
        pricing.model("gpt-5").name = "mine"


def test_importing_prices_loads_neither_streamlit_nor_the_price_list():
    code = (
        "import sys, bpe.pricing; "
        "print([m for m in ('streamlit', 'genai_prices', 'httpx2') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_pages_and_commands_import_the_package_and_none_of_its_modules():
    root = Path(pricing.__file__).parents[2]
    sources = [*(root / "playground").rglob("*.py"), *(root / "bpe" / "cli").rglob("*.py")]
    assert not [path for path in sources if "from bpe.pricing." in path.read_text("utf-8")]
