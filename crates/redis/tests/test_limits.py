"""No client can exhaust the server with one command."""

import pytest
from redis.exceptions import ResponseError

from files import sharded


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
    r.execute_command("BF.RESERVE", "k", 0.01, 1000, "EXPANSION", 10)
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
