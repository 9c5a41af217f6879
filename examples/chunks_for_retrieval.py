"""A document in overlapping pieces that an embedding model takes, with places to cite."""

import bpe
from bpe.documents import samples

encoder = bpe.encoding_for_model("text-embedding-3-small")
for chunk in encoder.chunks(samples.corpus("en")[:2000], 120, overlap=30):
    print(f"{chunk.start:>5}–{chunk.end:<5} {chunk.tokens:>4} tokens  {chunk.text[:40]!r}")
