"""Keys in every form are the keys that they are in a list, and answers have the form of the keys."""

import numpy
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomwise

WIDTHS = ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"]


@pytest.fixture(scope="module")
def evens():
    """Even numbers and even words."""
    keys = [*range(-200, 200, 2), *(f"wörd{n}" for n in range(0, 200, 2))]
    return bloomwise.build("guarded", keys, range(-199, 200, 2), bits_per_key=30)


def same(filter, keys, values):
    """The answers for keys in some form, which must be those for the list of their values."""
    answers = filter.contains(keys)
    assert [None if answer is None else bool(answer) for answer in answers_of(answers)] == filter.contains(values)
    return answers


def answers_of(answers):
    if isinstance(answers, numpy.ma.MaskedArray):
        return answers.tolist()
    if isinstance(answers, pandas.Series):
        return [None if answer is pandas.NA else answer for answer in answers]
    return answers.to_pylist() if hasattr(answers, "to_pylist") else list(answers)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("order", ["<", ">"])
def test_numpy_integers_of_every_width_and_order(evens, width, order):
    keys = numpy.arange(0, 100).astype(order + width)
    answers = same(evens, keys, range(100))
    assert type(answers) is numpy.ndarray and answers.dtype == bool
    if width.startswith("i"):
        same(evens, -keys, range(0, -100, -1))


@given(start=st.integers(-200, 200), stop=st.integers(-200, 200), step=st.integers(-7, 7).filter(bool))
def test_strided_arrays(start, stop, step):
    filter = bloomwise.build("guarded", range(0, 200, 2), range(1, 200, 2), bits_per_key=30)
    base = numpy.arange(200, dtype="u4")
    same(filter, base[start:stop:step], base[start:stop:step].tolist())
    table = numpy.arange(200, dtype="i8").reshape(20, 10)
    same(filter, table[:, start % 10], table[:, start % 10].tolist())


def test_unaligned_arrays_and_fields_of_records(evens):
    raw = b"x" + numpy.arange(50, dtype="<u8").tobytes()
    same(evens, numpy.frombuffer(raw, dtype="<u8", offset=1), range(50))
    records = numpy.zeros(20, dtype=[("skip", "u1"), ("key", "u4"), ("name", "S9")])
    records["key"] = numpy.arange(20)
    same(evens, records["key"], range(20))


def test_numpy_strings_and_bytes(evens):
    words = [f"wörd{n}" for n in range(40)] + ["", "a\0b"]
    same(evens, numpy.array(words), words)
    same(evens, numpy.array(words, dtype=object), words)
    same(evens, numpy.array(words)[::-3], words[::-3])
    encoded = [word.encode() for word in words]
    same(evens, numpy.array(encoded), encoded)
    same(evens, numpy.array([key.ljust(8) for key in encoded[:9]], dtype="V8"), [key.ljust(8) for key in encoded[:9]])
    if hasattr(numpy.dtypes, "StringDType"):
        same(evens, numpy.array(words, dtype=numpy.dtypes.StringDType()), words)


def test_masked_arrays_stay_masked(evens):
    keys = numpy.ma.masked_array(numpy.arange(6), [False, True, False, False, True, False])
    answers = same(evens, keys, [0, None, 2, 3, None, 5])
    assert isinstance(answers, numpy.ma.MaskedArray)


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_arrow_integers(evens, name):
    values = [0, 1, None, 2, 3, 100, 101]
    array = pyarrow.array(values, getattr(pyarrow, name)())
    answers = same(evens, array, values)
    assert isinstance(answers, pyarrow.BooleanArray) and answers.null_count == 1
    same(evens, array[2:5], values[2:5])


@pytest.mark.parametrize(
    "name", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"]
)
def test_arrow_text(evens, name):
    values = ["wörd2", None, "wörd3", "", "a string that is longer than twelve bytes"]
    array = pyarrow.array(values).cast(getattr(pyarrow, name)())
    same(evens, array, values)
    same(evens, array[1:4], values[1:4])
    same(evens, array.dictionary_encode() if "view" not in name else array, values)


def test_arrow_fixed_width_dictionaries_nulls_and_tables(evens):
    same(evens, pyarrow.array([b"abcd", None], pyarrow.binary(4)), [b"abcd", None])
    places = pyarrow.array([1, 0, None, 2], pyarrow.int8())
    words = pyarrow.DictionaryArray.from_arrays(places, pyarrow.array(["wörd2", "wörd3", None]))
    same(evens, words, ["wörd3", "wörd2", None, None])
    same(evens, pyarrow.nulls(3), [None] * 3)
    table = pyarrow.table({"key": [1, 2, 3]})
    assert isinstance(same(evens, table, [1, 2, 3]), pyarrow.ChunkedArray)
    same(evens, table.to_reader(), [1, 2, 3])


def test_chunked_arrays_keep_their_chunks(evens):
    chunks = pyarrow.chunked_array([[0, 1], [], [None, 2], [3]], pyarrow.int64())
    answers = same(evens, chunks, [0, 1, None, 2, 3])
    assert isinstance(answers, pyarrow.ChunkedArray)
    assert [len(chunk) for chunk in answers.chunks] == [2, 0, 2, 1]
    empty = evens.contains(pyarrow.chunked_array([], pyarrow.string()))
    assert empty.type == pyarrow.bool_() and len(empty) == 0


def test_polars_series(evens):
    for values in ([0, 1, None, 2], ["wörd2", None, "wörd3"], [b"a", b"b"], []):
        answers = same(evens, polars.Series("name", values), values)
        assert isinstance(answers, polars.Series) and answers.dtype == polars.Boolean
        assert answers.name == "name"
    words = ["wörd2", "wörd3", None]
    same(evens, polars.Series(words, dtype=polars.Categorical), words)
    frame = polars.DataFrame({"key": range(10)})
    assert frame.filter(evens.contains(frame["key"]))["key"].to_list() == [0, 2, 4, 6, 8]


def test_pandas_series(evens):
    for values in ([0, 1, 2], ["wörd2", "wörd3"], [b"a", b"b"]):
        series = pandas.Series(values, index=range(5, 5 + len(values)), name="key")
        answers = same(evens, series, values)
        assert isinstance(answers, pandas.Series) and answers.dtype == bool
        assert answers.index.equals(series.index) and answers.name == "key"
    for dtype, values in [("Int64", [0, None, 2]), ("string", ["wörd2", None]), (object, ["wörd2", None, float("nan")])]:
        answers = evens.contains(pandas.Series(values, dtype=dtype))
        assert answers.dtype == "boolean"
        expected = evens.contains([value if isinstance(value, (int, str)) else None for value in values])
        assert answers_of(answers) == expected
    words = ["wörd2", "wörd3", "wörd2"]
    same(evens, pandas.Series(words, dtype="category"), words)
    numbers = pandas.Series(range(10))
    assert numbers[evens.contains(numbers)].tolist() == [0, 2, 4, 6, 8]


def test_iterables_and_single_keys(evens):
    assert evens.contains(7) is False and evens.contains(8) is True
    assert numpy.int16(-8) in evens and numpy.uint64(8) in evens and numpy.str_("wörd8") in evens
    assert bytearray("wörd8", "utf-8") in evens and evens.contains(b"w\xc3\xb6rd8")
    assert evens.contains(range(3)) == [True, False, True]
    assert evens.contains(key for key in (0, 1)) == [True, False]
    assert evens.contains({2: "two"}) == [True] and evens.contains(()) == []


def test_one_key_has_many_spellings():
    filter = bloomwise.build("guarded", ["ant", -1], bits_per_key=40)
    assert b"ant" in filter and 2**64 - 1 in filter
    assert (-1).to_bytes(8, "little", signed=True) in filter


@pytest.mark.parametrize("make", [numpy.array, pyarrow.array, polars.Series, pandas.Series, list, iter])
def test_sets_are_the_same_from_every_form(make):
    numbers, words = list(range(1000)), [f"w{n}" for n in range(1000)]
    for keys in (numbers, words):
        negatives = [key + 5000 if isinstance(key, int) else key + "!" for key in keys]
        costs = [float(n) for n in range(1000)]
        expected = bloomwise.build("habf", keys, negatives, costs, bits_per_key=8)
        assert bloomwise.build("habf", make(keys), make(negatives), make(costs), bits_per_key=8) == expected
        by_dict = dict(zip(negatives, costs))
        assert bloomwise.build("habf", make(keys), by_dict, bits_per_key=8) == expected
        filter = bloomwise.build("counting", [], capacity=1000, bits_per_key=40)
        filter.add(make(keys))
        assert len(filter) == 1000 and all(filter.contains(keys))
        assert filter.remove(make(keys)) == 1000 and len(filter) == 0


def test_nulls_are_left_out_of_sets():
    some = bloomwise.build("bloom", ["a", "b"], bits_per_key=10)
    assert bloomwise.build("bloom", ["a", None, "b"], bits_per_key=10) == some
    assert bloomwise.build("bloom", pyarrow.array(["a", None, "b"]), bits_per_key=10) == some
    costs = [1.0, 2.0, 3.0]
    kept = bloomwise.build("guarded", ["a"], {"x": 1.0, "z": 3.0}, bits_per_key=20)
    assert bloomwise.build("guarded", ["a"], ["x", None, "z"], costs, bits_per_key=20) == kept


def test_a_stream_is_built_in_bounded_memory():
    batches = (pyarrow.record_batch({"key": numpy.arange(n, n + 1000)}) for n in range(0, 20_000, 1000))
    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("key", pyarrow.int64())]), batches)
    filter = bloomwise.build("guarded", reader, bits_per_key=10, memory=64 << 20, shards=3)
    assert filter == bloomwise.build("guarded", range(20_000), bits_per_key=10, shards=3)
