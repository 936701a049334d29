"""BW.GUARD and BW.MISS: filters that learn from their mistakes."""

import threading

import pytest
from redis.exceptions import ResponseError


def mistakes(r, key, count):
    """Items outside of the set that a filter accepts."""
    found, start = [], 0
    while len(found) < count:
        items = [f"out{n}" for n in range(start, start + 10_000)]
        answers = r.execute_command("BW.EXISTS", key, *items)
        found += [item for item, yes in zip(items, answers) if yes]
        start += 10_000
    return found[:count]


def cuckoo(r, exceptions=0.2):
    r.execute_command(
        "BW.CREATE", "k", "cuckoo", "CAPACITY", 5000, "BITSPERKEY", 14, "HASH", "xxh3:1", "SET", "exceptions", exceptions
    )
    r.execute_command("BW.ADD", "k", *[f"in{n}" for n in range(5000)])
    assert all(r.execute_command("BW.EXISTS", "k", *[f"in{n}" for n in range(5000)]))


def test_same_mistake_is_not_made_twice(r):
    cuckoo(r)
    for item in mistakes(r, "k", 30):
        yes, stamp = r.execute_command("BW.EXISTS", "k", item, "WITHSTAMP")
        assert yes == 1
        assert r.execute_command("BW.MISS", "k", item, "COST", 3, "SINCE", stamp) == 1
        assert r.execute_command("BW.EXISTS", "k", item) == 0
    assert all(r.execute_command("BW.EXISTS", "k", *[f"in{n}" for n in range(5000)]))
    info = r.execute_command("BW.INFO", "k", "FULL")
    parameters = info[info.index("parameters") + 1]
    assert parameters[parameters.index("exceptions") + 1] == 30


def test_late_report_does_not_deny_an_item_that_has_come(r):
    cuckoo(r)
    item, other = mistakes(r, "k", 2)
    _, stamp = r.execute_command("BW.EXISTS", "k", item, "WITHSTAMP")
    r.execute_command("BW.REM", "k", "in0")
    r.execute_command("BW.ADD", "k", item)
    assert r.execute_command("BW.MISS", "k", item, "SINCE", stamp) == 0, "refused"
    assert r.execute_command("BW.EXISTS", "k", item) == 1
    assert r.execute_command("BW.MISS", "k", other, "SINCE", stamp) == 1


def test_stamps_of_other_filters_are_refused(r):
    cuckoo(r)
    (item,) = mistakes(r, "k", 1)
    r.execute_command("COPY", "k", "copy")
    _, stamp = r.execute_command("BW.EXISTS", "copy", item, "WITHSTAMP")
    assert r.execute_command("BW.MISS", "k", item, "SINCE", stamp) == 0
    assert r.execute_command("BW.MISS", "k", item, "SINCE", "0-0") == 0
    # The same value under another name is the same filter.
    r.rename("copy", "renamed")
    assert r.execute_command("BW.MISS", "renamed", item, "SINCE", stamp) == 1


def test_reports_need_a_stamp_unless_they_are_harmless(r):
    cuckoo(r)
    with pytest.raises(ResponseError, match="needs SINCE"):
        r.execute_command("BW.MISS", "k", "x")
    with pytest.raises(ResponseError, match="needs SINCE"):
        r.execute_command("BW.MISS", "k", "x", "SINCE", "*")
    with pytest.raises(ResponseError, match="give one that BW.EXISTS"):
        r.execute_command("BW.MISS", "k", "x", "SINCE", "what")
    r.execute_command("BW.CREATE", "s", "seesaw-adaptive", "CAPACITY", 100, "BITSPERKEY", 40)
    r.execute_command("BW.ADD", "s", "a")
    assert r.execute_command("BW.EXISTS", "s", "a", "WITHSTAMP") == [1, "*"]
    for options in ([], ["SINCE", "*"], ["COST", "5"]):
        r.execute_command("BW.MISS", "s", "a", *options)
    assert r.execute_command("BW.EXISTS", "s", "a") == 1, "it is in the set"
    r.execute_command("BW.CREATE", "b", "bloom", "CAPACITY", 100)
    for command in (["BW.MISS", "b", "x"], ["BW.GUARD", "b", "x"], ["BW.EXISTS", "b", "x", "WITHSTAMP"]):
        with pytest.raises(ResponseError, match="cannot guard keys; use cuckoo"):
            r.execute_command(*command)


def test_guarded_items_are_denied(r):
    cuckoo(r)
    first, second, third = mistakes(r, "k", 3)
    assert r.execute_command("BW.GUARD", "k", first) == 1
    assert r.execute_command("BW.GUARD", "k", second, "COST", 9, third) == [1, 1]
    assert r.execute_command("BW.EXISTS", "k", first, second, third) == [0, 0, 0]
    for cost in ("-1", "nan", "inf", "x"):
        with pytest.raises(ResponseError, match="a finite number of at least 0"):
            r.execute_command("BW.GUARD", "k", first, "COST", cost)


def test_costliest_mistakes_stay_when_there_is_no_room(r):
    cuckoo(r, exceptions=0.02)
    info = r.execute_command("BW.INFO", "k", "FULL")
    parameters = info[info.index("parameters") + 1]
    room = parameters[parameters.index("room") + 1]
    wrong = mistakes(r, "k", 4 * room)
    for item in wrong:
        r.execute_command("BW.GUARD", "k", item, "COST", 1)
    costly = wrong[-room // 2 :]
    for item in costly:
        r.execute_command("BW.GUARD", "k", item, "COST", 1000)
    assert not any(r.execute_command("BW.EXISTS", "k", *costly))


def test_no_false_negative_while_misses_race_with_insertions(shared, r):
    """Readers report what the store does not have, writers store and add: whatever is stored is found."""
    r.execute_command("BW.CREATE", "k", "cuckoo", "CAPACITY", 30_000, "ERROR", 0.05, "SET", "exceptions", 0.3)
    store, failures = set(), []

    def write(writer):
        with shared.client() as client:
            for n in range(5000):
                item = f"{n}-{writer}"
                store.add(item)
                client.execute_command("BW.ADD", "k", item)

    def read(reader):
        with shared.client() as client:
            for n in range(5000):
                item = f"{n}-{reader % 4}"
                yes, stamp = client.execute_command("BW.EXISTS", "k", item, "WITHSTAMP")
                if yes and item not in store:
                    client.execute_command("BW.MISS", "k", item, "SINCE", stamp)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    threads += [threading.Thread(target=read, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    items = sorted(store)
    answers = r.execute_command("BW.EXISTS", "k", *items)
    failures = [item for item, yes in zip(items, answers) if not yes]
    assert len(items) == 20_000 and not failures


def test_totals_count_reports(r):
    cuckoo(r)
    before = r.info("bloomwise")
    (item,) = mistakes(r, "k", 1)
    _, stamp = r.execute_command("BW.EXISTS", "k", item, "WITHSTAMP")
    r.execute_command("BW.MISS", "k", item, "SINCE", stamp)
    r.execute_command("BW.MISS", "k", item, "SINCE", "0-0")
    after = r.info("bloomwise")
    assert after["bloomwise_misses"] == before["bloomwise_misses"] + 1
    assert after["bloomwise_misses_refused"] == before["bloomwise_misses_refused"] + 1
