"""What holds for every kind, whatever the keys are."""

import copy
import pickle

import pytest
from conftest import KINDS, bits
from hypothesis import given
from hypothesis import strategies as st

import bloomwise

key = st.one_of(st.text(max_size=12), st.binary(max_size=12), st.integers(-(2**63), 2**63 - 1))
some_keys = st.lists(key, min_size=1, max_size=200)
costs = st.floats(0, 1e9)


def distinct(keys):
    """The keys as bytes, which is what a filter sees."""
    as_bytes = {str: str.encode, bytes: bytes, int: lambda key: key.to_bytes(8, "little", signed=True)}
    return {as_bytes[type(key)](key) for key in keys}


@pytest.mark.parametrize("kind", KINDS)
@given(positives=some_keys, negatives=st.dictionaries(key, costs, max_size=50))
def test_no_key_is_denied_and_bytes_survive(kind, positives, negatives):
    filter = bloomwise.build(kind, positives, negatives, bits_per_key=bits(kind))
    assert all(key in filter for key in positives)
    assert filter.contains(positives) == [True] * len(positives)
    assert filter.report["keys"] == len(distinct(positives))
    assert filter.kind == kind
    for again in (
        bloomwise.load_bytes(filter.to_bytes()),
        pickle.loads(pickle.dumps(filter)),
        copy.copy(filter),
        copy.deepcopy(filter),
    ):
        assert again == filter
        assert again.to_bytes() == filter.to_bytes()
        assert again.contains(positives) == [True] * len(positives)


@pytest.mark.parametrize("kind", KINDS)
@given(positives=st.lists(key, min_size=1, max_size=100), data=st.data())
def test_order_and_duplicates_do_not_matter(kind, positives, data):
    shuffled = data.draw(st.permutations(positives)) + positives[:3]
    one = bloomwise.build(kind, positives, bits_per_key=bits(kind))
    assert bloomwise.build(kind, shuffled, bits_per_key=bits(kind)) == one


@pytest.mark.parametrize("kind", KINDS)
@given(positives=some_keys, shards=st.integers(1, 5))
def test_shards_memory_and_threads_keep_all_keys(kind, positives, shards):
    # The smallest filters of five shards fit.
    options = {"bytes": 20_000, "shards": shards}
    sharded = bloomwise.build(kind, positives, **options)
    assert all(sharded.contains(positives))
    assert sharded.info["shards"] == shards
    large = bloomwise.build(kind, positives, memory=64 << 20, **options)
    assert large == sharded
    assert bloomwise.build(kind, positives, threads=1, **options) == sharded


@given(positives=st.sets(key, min_size=1), negatives=st.dictionaries(key, costs, max_size=50))
def test_guarded_is_exact_where_it_says_so(positives, negatives):
    filter = bloomwise.build("guarded", positives, negatives, bits_per_key=40)
    outside = [key for key in negatives if not distinct([key]) & distinct(positives)]
    accepted = sum(filter.contains(outside))
    assert filter.info["wrong"] == filter.report["wrong"] <= len(outside)
    if filter.info["exact"]:
        assert accepted == 0


@pytest.mark.parametrize("kind", KINDS)
def test_rate_is_what_was_predicted(kind):
    filter = bloomwise.build(kind, range(20_000), bits_per_key=bits(kind) // 2)
    wrong = sum(filter.contains(range(10**6, 10**6 + 100_000)))
    expected = 100_000 * filter.info["predicted_fpr"]
    # Five standard deviations; the models of some kinds are approximate, by a tenth at most.
    assert abs(wrong - expected) <= 0.1 * expected + 5 * max(expected, 1) ** 0.5
