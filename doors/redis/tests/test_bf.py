"""BF.*: arguments, answers and errors of RedisBloom."""

import pytest
from redis.exceptions import ResponseError


def error(r, *command):
    with pytest.raises(ResponseError) as caught:
        r.execute_command(*command)
    return str(caught.value)


def test_items_are_added_once_and_found(r):
    assert r.execute_command("BF.ADD", "k", "a") == 1
    assert r.execute_command("BF.ADD", "k", "a") == 0
    assert r.execute_command("BF.MADD", "k", "a", "b", "c") == [0, 1, 1]
    assert r.execute_command("BF.EXISTS", "k", "b") == 1
    assert r.execute_command("BF.EXISTS", "k", "x") == 0
    assert r.execute_command("BF.MEXISTS", "k", "a", "x", "c") == [1, 0, 1]
    assert r.execute_command("BF.CARD", "k") == 3
    assert r.execute_command("TYPE", "k") == "bloomwise"


def test_answers_in_resp3_are_booleans_and_maps(r3):
    assert r3.execute_command("BF.ADD", "k", "a") is True
    assert r3.execute_command("BF.MADD", "k", "a", "b") == [False, True]
    assert r3.execute_command("BF.INSERT", "k", "ITEMS", "b", "c") == [False, True]
    assert r3.execute_command("BF.EXISTS", "k", "x") is False
    assert r3.execute_command("BF.MEXISTS", "k", "a", "x") == [True, False]
    info = r3.execute_command("BF.INFO", "k")
    assert list(info) == [
        "Capacity",
        "Size",
        "Number of filters",
        "Number of items inserted",
        "Expansion rate",
    ]
    assert r3.execute_command("BF.INFO", "k", "items") == {"Number of items inserted": 3}
    assert r3.execute_command("BF.CARD", "k") == 3


def test_info_in_resp2_is_flat(r):
    r.execute_command("BF.RESERVE", "k", "0.01", "1000", "EXPANSION", "4")
    info = r.execute_command("BF.INFO", "k")
    assert info[0::2] == [
        "Capacity",
        "Size",
        "Number of filters",
        "Number of items inserted",
        "Expansion rate",
    ]
    assert info[1] == 1000 and info[5] == 1 and info[7] == 0 and info[9] == 4
    assert 1400 < info[3] < 2400
    for field, value in [("CAPACITY", 1000), ("filters", 1), ("ITEMS", 0), ("EXPANSION", 4)]:
        assert r.execute_command("BF.INFO", "k", field) == [value]
    r.execute_command("BF.RESERVE", "fixed", "0.01", "10", "NONSCALING")
    assert r.execute_command("BF.INFO", "fixed", "EXPANSION") == [None]


def test_missing_keys(r):
    assert r.execute_command("BF.EXISTS", "none", "a") == 0
    assert r.execute_command("BF.MEXISTS", "none", "a", "b") == [0, 0]
    assert r.execute_command("BF.CARD", "none") == 0
    for command in (["BF.INFO"], ["BF.DEBUG"], ["BF.SCANDUMP"], ["BF.LOADCHUNK"]):
        more = {"BF.SCANDUMP": ["0"], "BF.LOADCHUNK": ["5", "x"]}.get(command[0], [])
        assert error(r, *command, "none", *more) == "not found"
    assert error(r, "BF.INSERT", "none", "NOCREATE", "ITEMS", "a") == "not found"
    assert not r.exists("none")


def test_keys_of_another_type(r):
    r.set("s", "text")
    wrong = "WRONGTYPE Operation against a key holding the wrong kind of value"
    for command in (
        "BF.ADD s a",
        "BF.MADD s a",
        "BF.INSERT s ITEMS a",
        "BF.INFO s",
        "BF.CARD s",
        "BF.RESERVE s 0.01 10",
        "BF.SCANDUMP s 0",
        "BF.LOADCHUNK s 1 x",
        "BF.DEBUG s",
    ):
        assert error(r, *command.split()) == wrong, command
    # As in RedisBloom, there are no items in something else.
    assert r.execute_command("BF.EXISTS", "s", "a") == 0
    assert r.execute_command("BF.MEXISTS", "s", "a", "b") == [0, 0]
    assert r.get("s") == "text"


@pytest.mark.parametrize(
    "command, text",
    [
        ("BF.RESERVE k x 10", "bad error rate"),
        ("BF.RESERVE k 0 10", "error rate must be in the range (0.000000, 1.000000)"),
        ("BF.RESERVE k 1 10", "error rate must be in the range (0.000000, 1.000000)"),
        ("BF.RESERVE k 0.01 x", "bad capacity"),
        ("BF.RESERVE k 0.01 0", "capacity must be in the range [1, 1073741824]"),
        ("BF.RESERVE k 0.01 1000000000000", "capacity must be in the range [1, 1073741824]"),
        ("BF.RESERVE k 0.01 10 EXPANSION", "no expansion"),
        ("BF.RESERVE k 0.01 10 EXPANSION x", "bad expansion"),
        ("BF.RESERVE k 0.01 10 EXPANSION 40000", "expansion must be in the range [0, 32768]"),
        ("BF.RESERVE k 0.01 10 NONSCALING EXPANSION 2", "Nonscaling filters cannot expand"),
        ("BF.RESERVE k 0.01", "wrong number of arguments for 'bf.reserve' command"),
        ("BF.ADD k", "wrong number of arguments for 'bf.add' command"),
        ("BF.ADD k a b", "wrong number of arguments for 'bf.add' command"),
        ("BF.MADD k", "wrong number of arguments for 'bf.madd' command"),
        ("BF.EXISTS k", "wrong number of arguments for 'bf.exists' command"),
        ("BF.EXISTS k a b", "wrong number of arguments for 'bf.exists' command"),
        ("BF.MEXISTS k", "wrong number of arguments for 'bf.mexists' command"),
        ("BF.INFO", "wrong number of arguments for 'bf.info' command"),
        ("BF.INFO k a b", "wrong number of arguments for 'bf.info' command"),
        ("BF.CARD", "wrong number of arguments for 'bf.card' command"),
        ("BF.SCANDUMP k", "wrong number of arguments for 'bf.scandump' command"),
        ("BF.LOADCHUNK k 1", "wrong number of arguments for 'bf.loadchunk' command"),
        ("BF.INSERT k", "wrong number of arguments for 'bf.insert' command"),
        ("BF.INSERT k NOCREATE ITEMS", "wrong number of arguments for 'bf.insert' command"),
        ("BF.INSERT k CAPACITY x ITEMS a", "Bad capacity"),
        ("BF.INSERT k ERROR 2 ITEMS a", "Bad error rate"),
        ("BF.INSERT k EXPANSION -1 ITEMS a", "Bad expansion"),
        ("BF.INSERT k WHAT ITEMS a", "Unknown argument received"),
        ("BF.LOADCHUNK k x y", "Second argument must be numeric"),
    ],
)
def test_errors(r, command, text):
    assert error(r, *command.split()) == text
    assert not r.exists("k")


def test_reserved_key_exists(r):
    r.execute_command("BF.RESERVE", "k", "0.01", "10")
    assert error(r, "BF.RESERVE", "k", "0.01", "10") == "item exists"
    assert error(r, "BF.INFO", "k", "what") == "Invalid information value"
    assert error(r, "BF.SCANDUMP", "k", "x") == "Second argument must be numeric"


def test_filter_that_does_not_grow_refuses_more(r):
    r.execute_command("BF.RESERVE", "k", "0.0001", "3", "NONSCALING", "HASH", "xxh3:1")
    assert r.execute_command("BF.MADD", "k", "a", "b", "c") == [1, 1, 1]
    assert error(r, "BF.ADD", "k", "d") == "non scaling filter is full"
    answers = r.execute_command("BF.INSERT", "k", "ITEMS", "a", "d", "e")
    assert answers[0] == 0 and str(answers[1]) == "non scaling filter is full"
    assert len(answers) == 2, "it stops there"
    assert r.execute_command("BF.CARD", "k") == 3


def test_insert_creates_as_it_is_told(r):
    options = "CAPACITY 50 ERROR 0.001 EXPANSION 3 ITEMS a b a".split()
    assert r.execute_command("BF.INSERT", "k", *options) == [1, 1, 0]
    assert r.execute_command("BF.INFO", "k", "CAPACITY") == [50]
    assert r.execute_command("BF.INFO", "k", "EXPANSION") == [3]
    # Options of a filter that exists change nothing.
    assert r.execute_command("BF.INSERT", "k", "CAPACITY", "9", "NOCREATE", "ITEMS", "c") == [1]
    assert r.execute_command("BF.INFO", "k", "CAPACITY") == [50]


def test_defaults_are_configured(r):
    r.config_set("bloomwise.bf-initial-size", 7)
    r.config_set("bloomwise.bf-error-rate", "0.2")
    r.config_set("bloomwise.bf-expansion-factor", 0)
    try:
        r.execute_command("BF.ADD", "k", "a")
        assert r.execute_command("BF.INFO", "k", "CAPACITY") == [7]
        assert r.execute_command("BF.INFO", "k", "EXPANSION") == [None]
        assert error(r, "CONFIG", "SET", "bloomwise.bf-error-rate", "2")
        assert error(r, "CONFIG", "SET", "bloomwise.bf-initial-size", "0")
    finally:
        r.config_set("bloomwise.bf-initial-size", 100)
        r.config_set("bloomwise.bf-error-rate", "0.01")
        r.config_set("bloomwise.bf-expansion-factor", 2)


def test_rate_stays_below_the_one_asked_for_while_the_filter_grows(r):
    """At its first capacity and at 100 times that, within five deviations."""
    for rate in (0.01, 0.001):
        r.execute_command("BF.RESERVE", f"k{rate}", rate, 1000, "HASH", "xxh3:1")
        for target in (1000, 100_000):
            have = r.execute_command("BF.CARD", f"k{rate}")
            for start in range(have, target, 1000):
                items = [f"in{n}" for n in range(start, start + 1000)]
                r.execute_command("BF.MADD", f"k{rate}", *items)
            tried, wrong = 200_000, 0
            for start in range(0, tried, 10_000):
                items = [f"out{n}" for n in range(start, start + 10_000)]
                wrong += sum(r.execute_command("BF.MEXISTS", f"k{rate}", *items))
            deviation = (rate * (1 - rate) / tried) ** 0.5
            assert wrong / tried < rate + 5 * deviation, (rate, target, wrong)
            items = [f"in{n}" for n in range(0, target, 7)]
            assert all(r.execute_command("BF.MEXISTS", f"k{rate}", *items))
        assert r.execute_command("BF.INFO", f"k{rate}", "FILTERS")[0] == 7


def dump(raw, key):
    chunks, iterator = [], 0
    while True:
        iterator, chunk = raw.execute_command("BF.SCANDUMP", key, iterator)
        if iterator == 0:
            return chunks
        chunks.append((iterator, chunk))


@pytest.mark.parametrize("capacity", [10, 5_000_000])
def test_chunks_are_loaded_elsewhere(raw, capacity):
    raw.execute_command("BF.RESERVE", "k", "0.01", capacity, "HASH", "xxh3:1")
    raw.execute_command("BF.MADD", "k", *range(500))
    chunks = dump(raw, "k")
    for iterator, chunk in chunks[:-1]:
        assert raw.execute_command("BF.LOADCHUNK", "copy", iterator, chunk) == b"OK"
        with pytest.raises(ResponseError, match="being loaded"):
            raw.execute_command("BF.EXISTS", "copy", "1")
    raw.execute_command("BF.LOADCHUNK", "copy", *chunks[-1])
    assert all(raw.execute_command("BF.MEXISTS", "copy", *range(500)))
    assert raw.execute_command("BF.DEBUG", "copy") == raw.execute_command("BF.DEBUG", "k")
    assert raw.execute_command("BF.ADD", "copy", "new") == 1


def test_wrong_chunks_are_refused(raw):
    raw.execute_command("BF.RESERVE", "k", "0.01", 100_000)
    (one, header), (two, rest) = dump(raw, "k")
    for data in (b"", b"x", header[:50], b"\0" * 4096, header[:72] + b"\0" * 8 + header[80:]):
        assert error(raw, "BF.LOADCHUNK", "copy", 1, data) == "received bad data"
        assert not raw.exists("copy")
    raw.execute_command("BF.LOADCHUNK", "copy", one, header)
    assert error(raw, "BF.LOADCHUNK", "copy", two + 1, rest) == "invalid offset - no link found"
    assert error(raw, "BF.LOADCHUNK", "copy", -(2**63), rest) == "received bad data"
    longer = rest + b"x"
    assert error(raw, "BF.LOADCHUNK", "copy", two + 1, longer).startswith("invalid chunk")
    damaged = rest[:99] + bytes([rest[99] ^ 1]) + rest[100:]
    assert error(raw, "BF.LOADCHUNK", "copy", two, damaged) == "received bad data"
    assert not raw.exists("copy"), "a damaged filter is not kept"
    # A whole filter takes no chunks.
    assert error(raw, "BF.LOADCHUNK", "k", two, rest) == "invalid offset - no link found"


def test_other_kinds_say_what_to_use(r):
    r.execute_command("BW.CREATE", "c", "cuckoo", "CAPACITY", 10)
    r.execute_command("BW.ADD", "c", "a")
    assert r.execute_command("BF.EXISTS", "c", "a") == 1
    assert "use BW.ADD" in error(r, "BF.ADD", "c", "b")
    assert "use BW.INFO" in error(r, "BF.INFO", "c")
    assert r.execute_command("BF.CARD", "c") == 1


def test_client_of_redis_py_works(r):
    bf = r.bf()
    assert bf.create("k", 0.01, 1000)
    assert bf.add("k", "a") == 1 and bf.exists("k", "a") == 1
    assert bf.insert("k", ["a", "b"]) == [0, 1]
    assert bf.madd("k", "b", "c") == [0, 1] and bf.mexists("k", "c", "x") == [1, 0]
    info = bf.info("k")
    assert info.insertedNum == 3 and info.capacity == 1000 and info.filterNum == 1
    assert bf.card("k") == 3
