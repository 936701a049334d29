"""Threads and processes share filters."""

import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy
import pytest

import bloomwise


def in_threads(*works):
    """Runs all works at once. A deadlock is a failure, not a hanging test."""
    with ThreadPoolExecutor(len(works)) as pool:
        done = [pool.submit(work) for work in works]
        return [work.result(timeout=600) for work in done]


def test_insertions_and_queries_of_many_threads():
    filter = bloomwise.build("bloom", [], capacity=40_000, bits_per_key=12)
    shares = [numpy.arange(n, 40_000, 4) for n in range(4)]

    def work(keys):
        for chunk in numpy.array_split(keys, 20):
            filter.add(chunk)
            assert filter.contains(chunk).all()
            assert int(chunk[0]) in filter and repr(filter) and len(filter) > 0

    in_threads(*(lambda keys=keys: work(keys) for keys in shares))
    assert len(filter) == 40_000 and filter.contains(numpy.arange(40_000)).all()


def test_unions_in_both_directions_do_not_deadlock():
    a, b = (bloomwise.build("bloom", keys, capacity=1000, bits_per_key=10) for keys in (range(500), range(500, 1000)))

    def unite(left, right):
        for _ in range(200):
            left |= right
            left.union(right)
            left.union(left)
            assert isinstance(left == right, bool)

    in_threads(lambda: unite(a, b), lambda: unite(b, a), lambda: unite(a, a))
    assert all(a.contains(range(1000))) and all(b.contains(range(1000)))


def test_keys_of_an_iterator_may_ask_the_filter():
    filter = bloomwise.build("bloom", [], capacity=1000, bits_per_key=10)
    filter.add(n for n in range(100) if n not in filter)
    assert filter.contains(n for n in range(100) if n in filter) == [True] * 100


def test_other_threads_run_while_a_batch_is_answered():
    filter = bloomwise.build("bloom", numpy.arange(1_000_000), bits_per_key=10)
    keys, ticks, stop = numpy.arange(4_000_000), [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    steps = 0
    # A busy machine may not run the other thread during one batch.
    for _ in range(100):
        before = ticks[0]
        filter.contains(keys)
        steps = max(steps, ticks[0] - before)
        if steps > 100:
            break
    stop.set()
    ticker.join()
    # With the lock held, the other thread would have made no step at all.
    assert steps > 100


def answers_in_process(filter, keys):
    built = bloomwise.build("habf", range(5000), range(9000, 9999), bits_per_key=8)
    return filter.contains(keys), built.to_bytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_filters_travel_to_other_processes_which_can_build(method):
    filter = bloomwise.build("habf", range(5000), range(9000, 9999), bits_per_key=8)
    keys = list(range(20))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        for work in [pool.submit(answers_in_process, filter, keys) for _ in range(4)]:
            answers, built = work.result(timeout=600)
            assert answers == [True] * 20 and built == filter.to_bytes()
