"""A newer price list from the network, on request only.

The result is a new table; the bundled one stays as it is. No background task, no shared state: the
caller decides who sees the new prices.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from bpe.errors import BPEError
from bpe.pricing import bundled
from bpe.pricing.price_table import Table, table_of

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot

Fetch = Callable[[], "DataSnapshot | None"]


def refresh(*, timeout: float = 10, fetch: Fetch | None = None, today: date | None = None) -> Table:
    """Return a table with the current list of genai-prices, dated ``today`` (default: now, UTC).

    Raises :class:`BPEError` after ``timeout`` seconds, or if the list cannot be had or read; the
    prices in use before are then as good as they were.
    """
    day = today or datetime.now(UTC).date()
    executor = ThreadPoolExecutor(1)
    try:
        snapshot = executor.submit(fetch or _fetcher(timeout)).result(timeout)
        listed = bundled.listed_models(snapshot, day) if snapshot is not None else []
    except TimeoutError:
        raise BPEError(
            "No new prices within {seconds} seconds. The prices of {date} stay in use; "
            "try again when the network is better.",
            seconds=timeout,
            date=bundled.BUNDLED_ON,
        ) from None
    except Exception as problem:
        raise BPEError(
            "New prices could not be had ({problem}). The prices of {date} stay in use.",
            problem=type(problem).__name__,
            date=bundled.BUNDLED_ON,
        ) from problem
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
    if not listed:
        raise BPEError(
            "The new price list has no model that we know. The prices of {date} stay in use.",
            date=bundled.BUNDLED_ON,
        )
    return table_of(listed, day)


def _fetcher(timeout: float) -> Fetch:
    import httpx2
    from genai_prices import UpdatePrices

    return UpdatePrices(request_timeout=httpx2.Timeout(timeout)).fetch
