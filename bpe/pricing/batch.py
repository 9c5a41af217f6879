"""Many prompts at once: totals, middle and tail of their lengths, and rows that are too long.

Reading the file and counting are elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bpe.analysis.metrics import percentile
from bpe.pricing.call import Overrides, Usage, cost
from bpe.pricing.records import Model


@dataclass(frozen=True, slots=True)
class Summary:
    """What a column of token counts comes to. ``over`` has the row numbers, from 0, past ``limit``.

    All numbers of an empty column are 0.
    """

    rows: int
    total: int
    mean: Decimal
    p50: int
    p95: int
    longest: int
    limit: int | None
    over: tuple[int, ...]


def summarise(counts: Sequence[int], *, limit: int | None = None) -> Summary:
    """Return totals, median, 95th percentile and the rows with more than ``limit`` tokens."""
    for count in counts:
        Usage(count)
    ordered = sorted(counts)
    total = sum(ordered)
    over = () if limit is None else tuple(i for i, count in enumerate(counts) if count > limit)
    return Summary(
        len(ordered), total, Decimal(total) / (len(ordered) or 1),
        percentile(ordered, 50), percentile(ordered, 95), ordered[-1] if ordered else 0,
        limit, over,
    )  # fmt: skip


def row_costs(
    model: Model,
    counts: Iterable[int],
    *,
    output_tokens: int = 0,
    when: datetime | None = None,
    batch: bool = False,
    overrides: Overrides | None = None,
    free_weekends: bool = False,
) -> list[Decimal]:
    """Return what each row costs in US dollars, with the same length of answer for all."""
    moment = when or datetime.now().astimezone()
    return [
        cost(
            model, Usage(count, output_tokens=output_tokens), when=moment, batch=batch,
            overrides=overrides, free_weekends=free_weekends,
        ).total
        for count in counts
    ]  # fmt: skip
