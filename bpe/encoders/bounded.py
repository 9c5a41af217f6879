"""A cache of limited size in bytes: of encoders, and of what is worked out with them."""

import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Values by key, of limited size together; the least recently used are evicted first.

    Nothing is evicted that was asked for in the last ``in_use`` seconds: who goes through more
    values than fit, again and again, would otherwise find none of them. Where there is no room even
    so, a new value is returned without being cached. Evicting frees no memory that is still
    referred to, and what is still referred to is not made a second time. All methods may be called
    from several threads.
    """

    def __init__(
        self,
        limit: int | None = None,
        *,
        in_use: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = limit
        """Bytes of all values together; ``None`` for no limit."""
        self.in_use = in_use
        self.size = 0
        """The sizes of all values, added up."""
        self._entries: OrderedDict[Key, tuple[Value, int, float]] = OrderedDict()
        self._alive: weakref.WeakValueDictionary[Key, Any] = weakref.WeakValueDictionary()
        """Values that were made, as long as anybody has them, evicted or not."""
        self._clock = clock
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def alive(self) -> list[Key]:
        """Return the keys of all values that were made and that anybody has, evicted or not."""
        with self._lock:
            return list(self._alive)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is then the most recently used, or ``None``."""
        with self._lock:
            if key not in self._entries:
                return None
            value, size, _asked = self._entries.pop(key)
            self._entries[key] = value, size, self._clock()
            return value

    def get_or_make(self, key: Key, make: Callable[[], Value], size: int) -> Value:
        """Return the value of a key; where there is none, make it, once for all who ask."""
        if (value := self.get(key)) is not None:
            return value
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            if (value := self.get(key)) is None:
                if (value := self._alive.get(key)) is None:
                    value = make()
                self.put(key, value, size)
                with self._lock, suppress(TypeError):  # a list, a text
                    self._alive[key] = value
        return value

    def put(self, key: Key, value: Value, size: int) -> bool:
        """Cache a value if there is room, or room can be made; return whether it is cached."""
        with self._lock:
            self._drop(key)
            self._alive.pop(key, None)
            if self.limit is not None:
                if size > self.limit:
                    return False
                self._shrink(self.limit - size, self._clock() - self.in_use)
                if self.size + size > self.limit:
                    return False
            self._entries[key] = value, size, self._clock()
            self.size += size
            return True

    def drop(self, goes: Callable[[Value], bool]) -> None:
        """Drop the values for which ``goes`` is true."""
        with self._lock:
            for key in [key for key, value in self._alive.items() if goes(value)]:
                del self._alive[key]
            for key in [key for key, entry in self._entries.items() if goes(entry[0])]:
                self._drop(key)

    def shrink(self, to: int = 0) -> None:
        """Evict the least recently used, those in use as well, until ``to`` bytes are left."""
        with self._lock:
            self._shrink(to, float("inf"))

    def _shrink(self, to: int, before: float) -> None:
        while self.size > to:
            key, (_value, _size, used) = next(iter(self._entries.items()))
            if used > before:
                return
            self._drop(key)

    def _drop(self, key: Key) -> None:
        if key in self._entries:
            self.size -= self._entries.pop(key)[1]
