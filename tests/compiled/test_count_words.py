"""The compiled word counter counts what the slow one does, in the same order."""

import threading
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.compiled.scanner import SCANNERS
from bpe.compiled.train import counting
from bpe.documents import samples
from bpe.text import pretokenize

# ⺀ and 〇 are Han but no letters, ・ and U+3097 kana but no letters; U+3D000 became one later.
LETTERS = "ab中 \n'1!\u3000ſT/⺀〇あ・\u3097\u0301\x00\U0003d000"
texts = st.lists(st.text(LETTERS, max_size=40) | st.text(max_size=20), max_size=6)


def assert_same(documents, pattern, **options):
    slow = pretokenize.count_words(documents, pattern, **options)
    fast = counting.count_words(iter(documents), pattern, **options)
    assert list(fast.items()) == list(slow.items())


@pytest.fixture
def small_chunks(monkeypatch):
    """Cut everywhere, so that short texts go through many chunks and threads."""
    monkeypatch.setattr(counting, "CHUNK_CHARACTERS", 4)


@pytest.mark.usefixtures("small_chunks")
@settings(max_examples=200, deadline=None)
@given(documents=texts, pattern=st.sampled_from(list(SCANNERS)))
def test_cutting_at_safe_borders_changes_nothing(documents, pattern):
    assert_same(documents, pattern)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("pattern", SCANNERS)
@pytest.mark.parametrize("language", ["zh", "en", "zh_hant"])
def test_real_text(pattern, language):
    assert_same([samples.corpus(language)], pattern)


def test_a_table_grows_for_one_long_word_and_for_many_words():
    assert_same(["a" * 300_000, " ".join(map(str, range(60_000)))], "gpt2")


def test_a_table_that_grows_is_never_there_twice():
    words = 1 << 16
    tracemalloc.start()
    counter = counting._Counter(words)
    counter.count([" ".join(map(str, range(words))).encode()], counting.SCANNERS["gpt2"])
    now, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    counter._grow(0)
    grown, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown - now > 2**20
    assert most - grown < 3 * 2**19  # the old slots alone have 2 MiB


class TestProgress:
    texts = (" ".join(map(str, range(40_000))) + "。\n") * 3

    @pytest.fixture
    def told_at_once(self, monkeypatch, small_chunks):
        monkeypatch.setattr(counting, "CHUNK_CHARACTERS", 20_000)
        monkeypatch.setattr(counting, "_TELL_SECONDS", 0)

    @pytest.mark.usefixtures("told_at_once")
    def test_it_says_how_many_characters_are_counted_and_words_joined(self, monkeypatch):
        told, tells, both = [], threading.Semaphore(0), threading.Barrier(2)
        count = counting._Counter.count

        def count_when_told(counter, *chunk):
            """Let both threads have a chunk, and count no more of them than it is told."""
            if not counter.words_after:
                both.wait()
            tells.acquire()
            count(counter, *chunk)

        def tell(progress):
            told.append(progress)
            if progress.phase == "counting":
                tells.release()

        monkeypatch.setattr(counting._Counter, "count", count_when_told)
        counting.count_words([self.texts], "gpt2", on_progress=tell, threads=2)
        by_phase = {
            phase: [progress.done for progress in told if progress.phase == phase]
            for phase in ("counting", "joining")
        }
        for phase, done in by_phase.items():
            assert done == sorted(done), phase
        assert 0 < by_phase["counting"][-1] <= len(self.texts)
        assert len(by_phase["joining"]) > 10
        assert told[-1].share == 1

    @pytest.mark.usefixtures("told_at_once")
    def test_what_it_raises_stops_the_reading(self):
        def stop(progress):
            raise KeyboardInterrupt

        read = []

        def texts():
            for number in range(10_000):
                read.append(number)
                yield f"{number} words " * 200

        with pytest.raises(KeyboardInterrupt):
            counting.count_words(texts(), "gpt2", on_progress=stop)
        assert len(read) < 10_000

    @pytest.mark.usefixtures("told_at_once")
    def test_what_the_texts_raise_is_raised(self):
        def texts():
            yield from ["some words " * 2_000] * 20
            raise OSError("gone")

        with pytest.raises(OSError, match="gone"):
            counting.count_words(texts(), "gpt2")
