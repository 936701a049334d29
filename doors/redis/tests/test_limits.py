"""No client can exhaust the server with one command."""

import struct

import pytest
from redis.exceptions import ResponseError

from files import crc64, length, sharded


def error(r, *command):
    with pytest.raises(ResponseError) as caught:
        r.execute_command(*command)
    return str(caught.value)


def test_sizes_are_checked_before_memory_is_taken(r):
    before = r.info("memory")["used_memory"]
    peak = r.info("memory")["used_memory_peak"]
    for command in (
        "BF.RESERVE k 0.000001 1000000000",
        "BF.RESERVE k 0.000001 1000000000 NONSCALING",
        "BF.INSERT k CAPACITY 1000000000 ERROR 0.000001 ITEMS a",
        "BW.CREATE k bloom CAPACITY 1000000000000 ERROR 0.01",
        "BW.CREATE k cuckoo CAPACITY 1000000000 ERROR 0.01",
        "BW.CREATE k counting BYTES 1000000000000 CAPACITY 10",
        "BW.CREATE k blocked BYTES 200000000 CAPACITY 10",
        "BW.CREATE k habf BITSPERKEY 1e30 CAPACITY 1000",
        "BW.CREATE k growing CAPACITY 18446744073709551615",
        "BW.CREATE k balanced CAPACITY 18446744073709551615 ERROR 1e-9",
        "BW.CREATE k seesaw-adaptive CAPACITY 100000000 BITSPERKEY 40",
    ):
        assert error(r, *command.split()), command
    assert r.info("memory")["used_memory"] < before + 1_000_000
    assert r.info("memory")["used_memory_peak"] < max(peak, before) + 2_000_000
    assert not r.exists("k")


def test_limit_of_a_key_holds_for_growth(r):
    r.config_set("bloomwise.max-bytes", 20_000)
    r.execute_command("BF.RESERVE", "k", 0.01, 1000, "EXPANSION", 10, "HASH", "xxh3:1")
    added = 0
    refused = None
    for n in range(0, 20_000, 100):
        answers = r.execute_command("BF.MADD", "k", *range(n, n + 100))
        errors = [answer for answer in answers if isinstance(answer, ResponseError)]
        if errors:
            refused = str(errors[0])
            break
        added = n + 100
    assert refused and "bloomwise.max-bytes is 20000" in refused
    assert r.execute_command("BF.INFO", "k", "SIZE")[0] <= 20_600
    assert added >= 1000 and all(r.execute_command("BF.MEXISTS", "k", *range(added)))
    assert "max-bytes" in error(r, "BF.ADD", "k", "one more")
    r.config_set("bloomwise.max-bytes", "1mb")
    assert r.execute_command("BF.ADD", "k", "one more") == 1


def test_limit_of_a_key_holds_for_growth_in_a_shard(raw):
    """A small file may ask for a huge next layer."""
    options = ["CAPACITY", 5000, "ERROR", 0.01, "SET", "expansion", 32768, "HASH", "xxh3:1"]
    for key in ("one", "two"):
        raw.execute_command("BW.CREATE", key, "growing", *options)
        raw.execute_command("BW.ADD", key, *(f"{key}{n}" for n in range(4990)))
    raw.execute_command("BW.LOAD", "k", sharded([raw.execute_command("BW.DUMP", key) for key in ("one", "two")]))
    memory = raw.info("memory")["used_memory"]
    answers = raw.execute_command("BW.ADD", "k", *range(500))
    refused = [answer for answer in answers if isinstance(answer, ResponseError)]
    assert 400 < len(refused) < 500 and "bloomwise.max-bytes is 134217728" in str(refused[0])
    assert raw.info("memory")["used_memory"] < memory + 1_000_000
    accepted = [n for n, answer in enumerate(answers) if not isinstance(answer, ResponseError)]
    assert accepted and all(raw.execute_command("BW.EXISTS", "k", *accepted))


def test_limit_of_a_command(r, raw):
    r.execute_command("BF.RESERVE", "k", 0.01, 1_000_000)
    file = raw.execute_command("BW.DUMP", "k")
    payload = raw.dump("k")
    r.config_set("bloomwise.max-command-bytes", "100kb")
    assert "max-command-bytes" in error(raw, "BW.DUMP", "k")
    assert raw.execute_command("BW.DUMP", "k", "AT", 0, "COUNT", 50_000) == file[:50_000]
    assert "max-command-bytes" in error(raw, "BW.LOAD", "copy", file)
    assert error(raw, "RESTORE", "copy", 0, payload) == "Bad data format"
    assert "max-command-bytes" in error(r, "BW.CREATE", "c", "bloom", "BYTES", 200_000, "CAPACITY", 9)
    assert not r.exists("copy", "c")
    r.config_set("bloomwise.max-command-bytes", "100mb")
    raw.restore("copy", 0, payload)


def test_limits_hold_for_what_is_loaded(r, raw):
    r.execute_command("BF.RESERVE", "k", 0.01, 1_000_000)
    file, payload = raw.execute_command("BW.DUMP", "k"), raw.dump("k")
    r.config_set("bloomwise.max-bytes", "1mb")
    assert "max-bytes" in error(raw, "BW.LOAD", "copy", file)
    assert "max-bytes" in error(raw, "BW.LOAD", "copy", file[:5000], "AT", 0, "OF", len(file))
    assert error(raw, "RESTORE", "copy", 0, payload) == "Bad data format"
    assert not r.exists("copy")


def test_arguments_of_loadmodule(start):
    server = start(module_arguments="max-bytes 1000000 ERROR_RATE 0.1 INITIAL_SIZE 50".split())
    r = server.client()
    assert r.config_get("bloomwise.max-bytes") == {"bloomwise.max-bytes": "1000000"}
    r.execute_command("BF.ADD", "k", "a")
    assert r.execute_command("BF.INFO", "k", "CAPACITY") == [50]
    assert "max-bytes is 1000000" in error(r, "BF.RESERVE", "big", 0.01, 10_000_000)


@pytest.mark.parametrize(
    "arguments, text",
    [
        ("max-bytes x", "max-bytes cannot be x; give a number of bytes, such as 256mb"),
        ("bf-initial-size 0", "give a number from 1 to 1073741824"),
        ("bf-error-rate 2", "bf-error-rate cannot be 2; give a number between 0 and 1"),
        ("what%n 1", "there is no setting what%n; give one of max-bytes, max-command-bytes"),
        ("max-bytes", "give each setting a value"),
    ],
)
def test_wrong_arguments_of_loadmodule_are_named(start, arguments, text):
    with pytest.raises(AssertionError) as caught:
        start(module_arguments=arguments.split())
    assert text in str(caught.value)


def test_units_of_loadmodule_are_those_of_config_set(start):
    r = start(module_arguments="max-bytes 256mb max-command-bytes 1g".split()).client()
    assert r.config_get("bloomwise.max-bytes") == {"bloomwise.max-bytes": str(256 << 20)}
    assert r.config_get("bloomwise.max-command-bytes") == {"bloomwise.max-command-bytes": "1000000000"}


def test_creation_and_growth_share_a_budget(r):
    """One command creates a filter and grows it."""
    r.config_set("bloomwise.max-command-bytes", 4000)
    answers = r.execute_command("BF.INSERT", "k", "CAPACITY", 1000, "ITEMS", *range(1500))
    refused = [answer for answer in answers if isinstance(answer, ResponseError)]
    assert refused and "are left of bloomwise.max-command-bytes" in str(refused[0])
    assert r.execute_command("BF.INFO", "k", "FILTERS") == [1]


def test_memory_for_waiting_is_limited(start):
    """A filter that may not grow learns, but nothing waits."""
    server = start()
    r = server.client()
    options = ["CAPACITY", 1000, "BITSPERKEY", 20, "HASH", "xxh3:1", "SET", "exceptions", 0.4, "fingerprint", 7]
    r.execute_command("BW.CREATE", "k", "cuckoo", *options)
    r.execute_command("BW.ADD", "k", *range(1000))

    def report(first, count):
        for item in range(first, first + count):
            yes, stamp = r.execute_command("BW.EXISTS", "k", item, "WITHSTAMP")
            if yes:
                r.execute_command("BW.MISS", "k", item, "SINCE", stamp)

    def memory():
        fields = r.execute_command("BW.INFO", "k")
        return fields[fields.index("memory") + 1]

    before = memory()
    r.config_set("bloomwise.max-bytes", before - 5000)
    report(10_000, 3000)
    assert memory() == before
    r.config_set("bloomwise.max-bytes", before + 5000)
    report(20_000, 3000)
    assert memory() > before + 200
    assert all(r.execute_command("BW.EXISTS", "k", *range(1000)))


def test_reports_of_misses_obey_maxmemory(start):
    r = start().client()
    r.execute_command("BW.CREATE", "k", "cuckoo", "CAPACITY", 1000)
    _, stamp = r.execute_command("BW.EXISTS", "k", "a", "WITHSTAMP")
    r.config_set("maxmemory", 1)
    with pytest.raises(ResponseError, match="OOM|maxmemory"):
        r.execute_command("BW.MISS", "k", "a", "SINCE", stamp)


def test_restore_refuses_long_strings(raw):
    """The module writes strings of at most 1 MiB."""
    raw.execute_command("BF.RESERVE", "k", 0.01, 2_000_000, "NONSCALING")
    file, dump = raw.execute_command("BW.DUMP", "k"), raw.dump("k")
    whole = b"\x02\x01\x02" + length(len(file)) + b"\x05" + length(len(file)) + file + b"\x00"
    payload = dump[:10] + whole + dump[-10:-8]
    with pytest.raises(ResponseError, match="Bad data format"):
        raw.restore("copy", 0, payload + struct.pack("<Q", crc64(payload)))
