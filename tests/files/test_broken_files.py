"""The files that ``fuzz.damaged_files`` damages load as they are."""

import pytest

from fuzz.damaged_files import FILES, use


@pytest.mark.parametrize("name", FILES)
def test_the_files_themselves_load(name: str) -> None:
    assert use(FILES[name])
