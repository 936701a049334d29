"""Whatever bytes and arguments come, there is an answer or an exception with one line."""

import subprocess
import sys

import numpy
import pandas
import pyarrow
import pytest
from conftest import KINDS, bits
from hypothesis import given, settings
from hypothesis import strategies as st

import bloomwise

FILES = {kind: bloomwise.build(kind, range(300), range(900, 999), bits_per_key=bits(kind)).to_bytes() for kind in KINDS}
FILES["sharded"] = bloomwise.build("guarded", range(300), bits_per_key=10, shards=3).to_bytes()


def one_line(error):
    text = str(error)
    assert text and "\n" not in text and "panic" not in text, text
    return True


@given(st.binary(max_size=400))
def test_any_bytes_are_an_error(data):
    with pytest.raises(bloomwise.Error, match="."):
        bloomwise.load_bytes(data)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=150)
@given(data=st.data())
def test_changed_and_truncated_files_are_errors(name, data, tmp_path_factory):
    whole = FILES[name]
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = bytearray(whole)
    changed[place] ^= data.draw(st.integers(1, 255))
    for wrong in (bytes(changed), whole[:place], whole + b"x"):
        with pytest.raises(bloomwise.Error) as caught:
            bloomwise.load_bytes(wrong)
        assert one_line(caught.value)
    path = tmp_path_factory.mktemp("wrong") / "f"
    path.write_bytes(changed)
    with pytest.raises(bloomwise.Error) as caught:
        bloomwise.open(path)
    assert one_line(caught.value) and str(path) in str(caught.value)
    for check in ("header", "first-use"):
        try:
            filter = bloomwise.open(path, check=check)
        except bloomwise.Error as error:
            assert one_line(error)
        else:
            assert len(filter.contains(range(300))) == 300
            if check == "first-use":
                assert all(filter.contains(range(300)))


def test_files_that_cannot_be_read_are_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing"):
        bloomwise.open(tmp_path / "nothing")
    with pytest.raises(OSError):
        bloomwise.open(tmp_path)
    with pytest.raises(FileNotFoundError):
        bloomwise.build("bloom", [1], fpr=0.1).save(tmp_path / "no" / "folder")
    with pytest.raises(OSError):
        bloomwise.compare(range(99), range(100, 300), kinds=["bloom"], html=tmp_path / "no" / "page.html")
    with pytest.raises(FileNotFoundError):
        bloomwise.join([tmp_path / "nothing"], tmp_path / "f")


BAD_CALLS = [
    (bloomwise.Error, "there is no kind \"gaurded\" .did you mean guarded", lambda: bloomwise.build("gaurded", [1], fpr=0.1)),
    (TypeError, "exactly one of", lambda: bloomwise.build("bloom", [1])),
    (TypeError, "exactly one of", lambda: bloomwise.build("bloom", [1], fpr=0.1, bits_per_key=9)),
    (bloomwise.Error, "has no setting .kk.*it has: k", lambda: bloomwise.build("bloom", [1], fpr=0.1, kk=3)),
    (bloomwise.Error, "k is 99", lambda: bloomwise.build("bloom", [1], fpr=0.1, k=99)),
    (TypeError, "neither a number nor a word", lambda: bloomwise.build("bloom", [1], fpr=0.1, k=[])),
    (TypeError, "bits_per_key: ", lambda: bloomwise.build("bloom", [1], bits_per_key="many")),
    (bloomwise.Error, "expected", lambda: bloomwise.build("bloom", [1], bits_per_key=-3)),
    (bloomwise.Error, "expected", lambda: bloomwise.build("bloom", [1], fpr=2)),
    (OverflowError, "seed", lambda: bloomwise.build("bloom", [1], fpr=0.1, seed=2**64)),
    (OverflowError, "seed", lambda: bloomwise.build("bloom", [1], fpr=0.1, seed=-1)),
    (bloomwise.Error, "hash is .md5", lambda: bloomwise.build("bloom", [1], fpr=0.1, hash="md5")),
    (TypeError, "a single str", lambda: bloomwise.build("bloom", "ant", fpr=0.1)),
    (TypeError, "a single str", lambda: bloomwise.build("guarded", ["ant"], "bee", bits_per_key=9)),
    (TypeError, "a single .*bytearray", lambda: bloomwise.build("bloom", bytearray(b"ant"), fpr=0.1)),
    (TypeError, "a single .*memoryview", lambda: bloomwise.build("bloom", memoryview(b"ant"), fpr=0.1)),
    (TypeError, "a single .*int", lambda: bloomwise.build("bloom", 7, fpr=0.1)),
    (TypeError, "plan has no argument k", lambda: bloomwise.plan(7, fpr=0.1, k=3)),
    (TypeError, "compare takes no", lambda: bloomwise.compare([1], [2], capacity=3)),
    (TypeError, "keys are", lambda: bloomwise.build("bloom", 7.5, fpr=0.1)),
    (TypeError, "not float", lambda: bloomwise.build("bloom", [7.5], fpr=0.1)),
    (OverflowError, "64 bits", lambda: bloomwise.build("bloom", [2**64], fpr=0.1)),
    (OverflowError, "64 bits", lambda: bloomwise.build("bloom", [-(2**63) - 1], fpr=0.1)),
    (UnicodeEncodeError, "surrogates", lambda: bloomwise.build("bloom", ["\udc80"], fpr=0.1)),
    (ValueError, "U.DC80", lambda: bloomwise.build("bloom", numpy.array(["\udc80"]), fpr=0.1)),
    (TypeError, "numpy type float64", lambda: bloomwise.build("bloom", numpy.array([0.5]), fpr=0.1)),
    (TypeError, "numpy type bool", lambda: bloomwise.build("bloom", numpy.array([True]), fpr=0.1)),
    (ValueError, "2 dimensions", lambda: bloomwise.build("bloom", numpy.zeros((2, 2), int), fpr=0.1)),
    (ValueError, "0 dimensions", lambda: bloomwise.build("bloom", numpy.array(7), fpr=0.1)),
    (TypeError, "Arrow type Float64", lambda: bloomwise.build("bloom", pyarrow.array([0.5]), fpr=0.1)),
    (TypeError, "2 columns", lambda: bloomwise.build("bloom", pyarrow.table({"a": [1], "b": [2]}), fpr=0.1)),
    (TypeError, "numpy type float64", lambda: bloomwise.build("bloom", pandas.Series([0.5]), fpr=0.1)),
    (TypeError, "give negatives", lambda: bloomwise.build("bloom", [1], costs=[1], fpr=0.1)),
    (TypeError, "leave out costs", lambda: bloomwise.build("bloom", [1], {2: 3}, [4], fpr=0.1)),
    (bloomwise.Error, "cost of negative 1 is -1", lambda: bloomwise.build("guarded", [1], {2: 3, 4: -1}, bits_per_key=9)),
    (bloomwise.Error, "NaN", lambda: bloomwise.build("guarded", [1], [2], [float("nan")], bits_per_key=9)),
    (bloomwise.Error, "one for each", lambda: bloomwise.build("guarded", [1], [2, 3], [1], bits_per_key=9)),
    (bloomwise.Error, "one for each", lambda: bloomwise.build("guarded", [1], [2], [1, 2], bits_per_key=9)),
    (ValueError, ".", lambda: bloomwise.build("guarded", [1], [2], ["dear"], bits_per_key=9)),
    (bloomwise.Error, "cannot insert", lambda: bloomwise.build("guarded", [1], bits_per_key=9, capacity=10)),
    (bloomwise.Error, "number of shards", lambda: bloomwise.build("bloom", [1], bits_per_key=9, shards=0)),
    (bloomwise.Error, "memory of a build", lambda: bloomwise.build("bloom", [1], bits_per_key=9, memory=1)),
    (bloomwise.Error, "auto takes no", lambda: bloomwise.build("auto", [1], bits_per_key=9, k=3)),
    ((bloomwise.Error, MemoryError), ".", lambda: bloomwise.build("bloom", [], capacity=2**60, bits_per_key=9)),
    (bloomwise.Error, "no keys.*capacity=", lambda: bloomwise.build("bloom", [], bits_per_key=9)),
    (bloomwise.Error, "no keys.*capacity=", lambda: bloomwise.build("cuckoo", [], fpr=0.1, shards=2)),
    (bloomwise.Error, "0 bits", lambda: bloomwise.build("cuckoo", [1], bytes=0)),
    (bloomwise.Error, "bits per key is NaN", lambda: bloomwise.build("cuckoo", [1], bits_per_key=float("nan"))),
    (bloomwise.Error, "at most .* bits", lambda: bloomwise.plan(1, bytes=10**18)),
    (bloomwise.Error, "grow the filter to .* memory=", lambda: bloomwise.build("growing", range(1000), fpr=0.01, expansion=32768).add(range(1000, 1010))),
    (bloomwise.Error, "grow the filter to .* memory=", lambda: bloomwise.build("growing", [1], fpr=0.01, expansion=9999).add(2, memory=1000)),
    (bloomwise.Error, "check is .all", lambda: bloomwise.open("f", check="all")),
    (bloomwise.Error, "siphash needs the same key", lambda: bloomwise.build_shard("bloom", [], shards=2, shard=0, path="f", fpr=0.1, hash="siphash")),
    (bloomwise.Error, "range of shards", lambda: bloomwise.build_shard("bloom", [], shards=2, shard=2, path="f", fpr=0.1)),
    (bloomwise.Error, "no operation", lambda: bloomwise.plan(9, fpr=0.1, needs=["fly"])),
    (bloomwise.Error, "numbers for both", lambda: bloomwise.plan([9], 9, fpr=0.1)),
    (bloomwise.Error, "holdout", lambda: bloomwise.compare([1], [2], holdout=1)),
    (bloomwise.Error, "holdout=0.5 of 1 negatives", lambda: bloomwise.compare([1], [2], holdout=0.5)),
    (bloomwise.Error, "no negatives", lambda: bloomwise.compare([1], [1])),
    (bloomwise.Error, "no positives", lambda: bloomwise.compare([], range(99))),
    (bloomwise.Error, "no kind that is compared", lambda: bloomwise.compare([1], [2], cells=1)),
    (bloomwise.Error, "not a patch", lambda: bloomwise.Patch.from_bytes(FILES["bloom"])),
    (bloomwise.Error, "other|expected|checksum", lambda: bloomwise.load_bytes(FILES["guarded"]).apply(PATCH)),
    (bloomwise.Error, "the kind differs", lambda: bloomwise.load_bytes(FILES["bloom"]).union(bloomwise.load_bytes(FILES["blocked"]))),
    (bloomwise.Error, "was not built from these", lambda: bloomwise.diff(bloomwise.load_bytes(FILES["bloom"]), [1], range(10**6, 10**6 + 99))),
]
_base = bloomwise.build("guarded", range(9), bits_per_key=12)
PATCH = bloomwise.diff(_base, range(1, 10), range(9))


@pytest.mark.parametrize("number", range(len(BAD_CALLS)))
def test_wrong_arguments_are_errors_with_one_line(number):
    kind, text, call = BAD_CALLS[number]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert one_line(caught.value)


def test_what_is_no_key_is_a_type_error():
    filter = bloomwise.load_bytes(FILES["bloom"])
    for wrong in (None, 0.5, object(), [1], numpy.array([1])):
        with pytest.raises(TypeError, match="a key is a str, bytes or int"):
            wrong in filter  # noqa: B015
    with pytest.raises(TypeError):
        hash(filter)
    assert filter != 7 and not filter == "filter"


LIMITED = """
import resource
import bloomwise

filter = bloomwise.build("bloom", ["ant"], bytes=64 << 20, capacity=1000)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20), resource.RLIM_INFINITY))
try:
    filter.to_bytes()
except MemoryError as error:
    print(error, "ant" in filter)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")
def test_bytes_that_do_not_fit_into_memory_are_an_error():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("not enough memory for 67") and done.stdout.endswith("save to a file instead True\n")


class Arrow:
    """An object that gives the same capsules each time."""

    def __init__(self, array):
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def returning(name, value):
    """An object with a method that returns this."""
    return type("Returning", (), {name: lambda self, requested_schema=None: value})()


def test_wrong_arrow_capsules_are_errors():
    filter = bloomwise.build("bloom", [1], fpr=0.1)
    array = Arrow(pyarrow.array([1, 2]))
    assert len(filter.contains(array)) == 2
    schema, data = pyarrow.array([1]).__arrow_c_array__()
    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("k", pyarrow.int64())]), [])
    stream = reader.__arrow_c_stream__()
    for wrong in (
        array,
        returning("__arrow_c_array__", (data, schema)),
        returning("__arrow_c_array__", 7),
        returning("__arrow_c_stream__", schema),
        returning("__arrow_c_stream__", None),
    ):
        with pytest.raises((TypeError, ValueError)) as raised:
            filter.contains(wrong)
        one_line(raised.value)
    assert len(filter.contains(returning("__arrow_c_stream__", stream))) == 0
    with pytest.raises(ValueError, match="used before"):
        filter.contains(returning("__arrow_c_stream__", stream))


def test_stream_that_fails_is_an_error_in_one_line():
    def batches():
        yield pyarrow.record_batch([pyarrow.array([1])], ["k"])
        raise RuntimeError("first line\nsecond line")

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("k", pyarrow.int64())]), batches())
    with pytest.raises(ValueError, match="reading keys failed.*first line second line") as raised:
        bloomwise.build("bloom", reader, fpr=0.1)
    one_line(raised.value)
