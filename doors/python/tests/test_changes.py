"""Filters that change, beside a Python set."""

import numpy
import pytest
from conftest import ADDING, KINDS, REMOVING, UNITING, bits
from hypothesis import given
from hypothesis import strategies as st

import bloomwise

small = st.integers(0, 300)
step = st.one_of(
    st.tuples(st.just("add"), small),
    st.tuples(st.just("add many"), st.lists(small, max_size=20)),
    st.tuples(st.just("remove"), small),
)


@pytest.mark.parametrize("kind", ADDING)
@given(steps=st.lists(step, max_size=30))
def test_no_key_of_the_set_is_denied(kind, steps):
    filter = bloomwise.build(kind, [], capacity=1000, bits_per_key=bits(kind))
    members = set()
    for what, keys in steps:
        if what == "add" and keys not in members:
            accepted = keys in filter
            assert filter.add(keys) is not accepted
            members.add(keys)
        elif what == "add many":
            new = set(keys) - members
            assert filter.add(numpy.array(sorted(new), dtype="u8")) is None
            members |= new
        elif what == "remove" and kind in REMOVING and keys in members:
            assert filter.remove(keys) is True
            members.discard(keys)
        assert all(filter.contains(sorted(members)))
        assert len(filter) == len(members) and bool(filter) == bool(members)
    if kind in REMOVING:
        assert filter.remove(sorted(members)) == len(members)
        assert not any(filter.contains(sorted(members)))


@pytest.mark.parametrize("kind", UNITING)
@given(left=st.sets(small), right=st.sets(small))
def test_union_has_the_keys_of_both(kind, left, right):
    make = lambda keys: bloomwise.build(kind, keys, capacity=500, bits_per_key=40)
    a, b, both = make(left), make(right), make([])
    before = a.to_bytes()
    for united in (a.union(b), a | b):
        assert all(united.contains(left | right))
    assert a.to_bytes() == before
    both |= a
    both |= b
    assert all(both.contains(left | right)) and both == a | b


def test_union_of_a_filter_with_itself():
    a = bloomwise.build("bloom", range(100), bits_per_key=10)
    assert a.union(a).contains(list(range(100))) == [True] * 100
    same = a
    a |= a
    assert a is same and all(a.contains(range(100)))


def test_guarded_keys_are_denied():
    filter = bloomwise.build("cuckoo", range(1000), capacity=1000, bits_per_key=16, exceptions=0.3)
    outside = numpy.arange(10_000, 60_000)
    wrong = outside[filter.contains(outside)]
    assert len(wrong) > 10
    filter.guard(wrong[:5], cost=[9, 8, 7, 6, 5])
    filter.guard(int(wrong[5]), cost=3)
    filter.guard(wrong[6:8].tolist())
    assert not filter.contains(wrong[:8]).any()
    assert all(filter.contains(range(1000)))
    for costs in ([1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(bloomwise.Error, match="one for each"):
            filter.guard(wrong[8:10], cost=costs)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_cannot_do_is_an_error_that_says_what_to_do(kind):
    filter = bloomwise.build(kind, range(50), bits_per_key=bits(kind))
    other = bloomwise.build(kind, range(50), bits_per_key=bits(kind))
    allowed = {"add": kind in ADDING, "union": kind in [*UNITING, "personalized", "personalized-counting"]}
    allowed["remove"] = kind in [*REMOVING, "personalized-counting"]
    allowed["guard"] = kind in ("cuckoo", "seesaw-adaptive")
    for name, argument in [("add", 7), ("add", [7]), ("remove", 7), ("remove", [7]), ("guard", 999), ("guard", [999]), ("union", other)]:
        if allowed[name]:
            getattr(filter, name)(argument)
        else:
            with pytest.raises(bloomwise.Error, match="cannot .*; "):
                getattr(filter, name)(argument)


def test_a_full_filter_is_an_error_and_keeps_its_keys():
    filter = bloomwise.build("cuckoo", [], capacity=100, bits_per_key=12)
    with pytest.raises(bloomwise.Error, match="full"):
        filter.add(range(1_000_000))
    assert len(filter) >= 100 and all(filter.contains(range(len(filter))))


def test_a_mapped_filter_changes_in_memory_only(tmp_path):
    path = tmp_path / "f.bloomwise"
    bloomwise.build("bloom", ["ant"], capacity=100, bits_per_key=10).save(path)
    before = path.read_bytes()
    mapped = bloomwise.open(path)
    assert mapped.add("bee") is True and "bee" in mapped
    assert path.read_bytes() == before
    mapped.save(path)
    assert "bee" in bloomwise.open(str(path), check="header")
