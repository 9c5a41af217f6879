"""Corpora in many files: count their words, learn from the counts, write their ids.

Needs the extra ``cluster``.
"""

from bpe.errors import from_extra

with from_extra("cluster"):
    import fsspec as _fsspec
    import pyarrow as _pyarrow
