"""What the package exports, and what importing it costs."""

import subprocess
import sys
from dataclasses import FrozenInstanceError

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


def test_the_exported_names_are_those_listed():
    assert sorted(pricing.__all__) == sorted(set(pricing.__all__))
    assert all(hasattr(pricing, name) for name in pricing.__all__)
