"""BW.*: filters of all kinds."""

import re
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

LIBRARY = Path(__file__).parents[3] / "crates" / "bloomwise"
FILES = LIBRARY / "tests" / "data" / "v2"

CHANGING = "bloom blocked counting habf habf-fast habf-cache seesaw seesaw-adaptive balanced " \
    "personalized personalized-counting personalized-rejecting growing cuckoo"


def error(r, *command):
    with pytest.raises(ResponseError) as caught:
        r.execute_command(*command)
    return str(caught.value)


@pytest.mark.parametrize("kind", CHANGING.split())
def test_every_kind_lives_here(raw, kind):
    """Created, filled, looked up, dumped, loaded, removed from: no false negative."""
    raw.execute_command("BW.CREATE", "k", kind, "CAPACITY", 5000, "BITSPERKEY", 40)
    assert raw.execute_command("BW.ADD", "k", "one") == 1
    assert raw.execute_command("BW.ADD", "k", *range(4000))[:3] == [1, 1, 1]
    assert raw.execute_command("BW.EXISTS", "k", "one") == 1
    assert all(raw.execute_command("BW.EXISTS", "k", *range(4000)))
    outside = raw.execute_command("BW.EXISTS", "k", *range(10_000, 20_000))
    assert sum(outside) < 1200, "far fewer than all"
    file = raw.execute_command("BW.DUMP", "k")
    assert file.startswith(b"BLOOMWIS")
    raw.execute_command("BW.LOAD", "copy", file)
    assert raw.execute_command("BW.DUMP", "copy") == file
    assert all(raw.execute_command("BW.EXISTS", "copy", *range(4000)))
    if kind in ("counting", "personalized-counting", "seesaw", "seesaw-adaptive", "cuckoo"):
        assert all(raw.execute_command("BW.REM", "k", *range(2000)))
        assert all(raw.execute_command("BW.EXISTS", "k", *range(2000, 4000)))
        assert raw.execute_command("BW.REM", "k", "never there") in (0, 1)
    else:
        assert "cannot remove keys" in error(raw, "BW.REM", "k", "one")


def test_list_names_every_kind(r, r3):
    kinds = r3.execute_command("BW.LIST")
    assert sorted(kind["kind"] for kind in kinds if kind["commands"]) == sorted(CHANGING.split())
    assert {kind["kind"]: kind["commands"] for kind in kinds}["guarded"] == []
    table = (LIBRARY / "src" / "filter" / "family" / "table.rs").read_text()
    assert sorted(kind["kind"] for kind in kinds) == sorted(re.findall(r'=> row\("([a-z-]+)"\)', table))


def test_info_says_what_a_filter_is(r3):
    r3.execute_command("BW.CREATE", "k", "cuckoo", "CAPACITY", 1000, "ERROR", 0.01)
    r3.execute_command("BW.ADD", "k", *range(1000))
    info = r3.execute_command("BW.INFO", "k")
    assert (info["kind"], info["keys"], info["capacity"]) == ("cuckoo", 1000, 1000)
    assert 0 < info["predicted_fpr"] <= 0.01 and 10 < info["bits_per_key"] < 14
    assert info["memory"] > info["bytes"] and info["hash"] == "siphash with a secret key"
    full = r3.execute_command("BW.INFO", "k", "FULL")
    assert full["parameters"]["exceptions"] == 0 and full["target_fpr"] == 0.01


@pytest.mark.parametrize(
    "command, text",
    [
        ("BW.CREATE k", "wrong number of arguments"),
        ("BW.CREATE k blom CAPACITY 10", "did you mean bloom?"),
        ("BW.CREATE k guarded CAPACITY 10", "load it with BW.LOAD"),
        ("BW.CREATE k bloom", "give CAPACITY"),
        ("BW.CREATE k bloom CAPACITY 10 SET what 1", "it has: k"),
        ("BW.CREATE k bloom CAPACITY 10 ERROR 0.1 BYTES 10", "give one of"),
        ("BW.CREATE k bloom CAPACITY 10 HASH sip", "the hashing is not readable"),
        ("BW.CREATE k cuckoo BYTES 10 CAPACITY 100000", "BYTES 10 are 80 bits"),
        ("BW.ADD k a", "not found; create the filter with BW.CREATE"),
        ("BW.REM k a", "not found"),
        ("BW.EXISTS k a", "not found"),
        ("BW.GUARD k a", "not found"),
        ("BW.MISS k a", "not found"),
        ("BW.DUMP k", "not found"),
        ("BW.INFO k", "not found"),
        ("BW.LOAD k what", "not a bloomwise filter"),
        ("BW.LOAD k what AT 0", "give both AT and OF"),
        ("BW.LOAD k x ABORT", "give ABORT alone"),
        ("BW.LIST k", "wrong number of arguments"),
    ],
)
def test_errors(r, command, text):
    assert text in error(r, *command.split())
    assert not r.exists("k")


def test_keys_of_another_type(r):
    r.set("s", "text")
    for command in "BW.ADD s a,BW.REM s a,BW.EXISTS s a,BW.GUARD s a,BW.MISS s a,BW.DUMP s," \
        "BW.INFO s,BW.LOAD s x REPLACE,BW.CREATE s bloom CAPACITY 9".split(","):
        assert error(r, *command.split()).startswith("WRONGTYPE"), command
    assert r.get("s") == "text"


def test_full_filter_refuses_and_loses_nothing(r):
    r.execute_command("BW.CREATE", "k", "cuckoo", "CAPACITY", 1000, "HASH", "xxh3:1")
    answers = []
    for start in range(0, 2000, 100):
        answers += r.execute_command("BW.ADD", "k", *range(start, start + 100))
    refused = [n for n, answer in enumerate(answers) if isinstance(answer, ResponseError)]
    assert refused and refused[0] > 1000 and "the filter is full" in str(answers[refused[0]])
    added = [n for n in range(2000) if n not in set(refused)]
    assert all(r.execute_command("BW.EXISTS", "k", *added))
    assert r.execute_command("BW.INFO", "k")[3] == len(added)


def test_file_of_the_format_is_loaded_whole_and_in_chunks(raw):
    raw.execute_command("BW.CREATE", "k", "blocked", "CAPACITY", 100_000, "BITSPERKEY", 12)
    raw.execute_command("BW.ADD", "k", *range(1000))
    file = raw.execute_command("BW.DUMP", "k")
    parts = []
    while chunk := raw.execute_command("BW.DUMP", "k", "AT", sum(map(len, parts)), "COUNT", 40_000):
        parts.append(chunk)
    assert b"".join(parts) == file and len(parts) == 4
    offset = 0
    for chunk in parts:
        raw.execute_command("BW.LOAD", "copy", chunk, "AT", offset, "OF", len(file))
        offset += len(chunk)
    assert raw.execute_command("BW.DUMP", "copy") == file
    assert error(raw, "BW.LOAD", "copy", file) == "BUSYKEY Target key name already exists."


def test_old_filter_answers_until_the_new_one_is_whole(raw):
    raw.execute_command("BW.CREATE", "new", "bloom", "CAPACITY", 100_000)
    raw.execute_command("BW.ADD", "new", "b")
    file = raw.execute_command("BW.DUMP", "new")
    raw.execute_command("BW.CREATE", "k", "bloom", "CAPACITY", 10)
    raw.execute_command("BW.ADD", "k", "a")
    raw.expire("k", 1000)
    at = ("AT", 0, "OF", len(file), "REPLACE")
    raw.execute_command("BW.LOAD", "k", file[:50_000], *at)
    assert raw.execute_command("BW.EXISTS", "k", "a", "b") == [1, 0]
    assert raw.execute_command("BW.ADD", "k", "c") == 1, "and it accepts items"
    assert error(raw, "BW.LOAD", "k", file[50_001:], "AT", 50_001, "OF", len(file), "REPLACE")
    assert error(raw, "BW.LOAD", "k", file[50_000:], "AT", 50_000, "OF", 7, "REPLACE")
    raw.execute_command("BW.LOAD", "k", file[50_000:], "AT", 50_000, "OF", len(file), "REPLACE")
    assert raw.execute_command("BW.EXISTS", "k", "a", "b") == [0, 1]
    assert raw.ttl("k") > 900, "the time to live stays"


def test_filter_is_replaced_only_if_replace_is_given(raw):
    """Also while another one is arriving."""
    raw.execute_command("BW.CREATE", "k", "bloom", "CAPACITY", 100_000)
    file = raw.execute_command("BW.DUMP", "k")
    raw.execute_command("BW.ADD", "k", "a")
    busy = "BUSYKEY Target key name already exists."
    first = (file[:5000], "AT", 0, "OF", len(file))
    assert error(raw, "BW.LOAD", "k", *first) == busy
    raw.execute_command("BW.LOAD", "k", *first, "REPLACE")
    assert error(raw, "BW.LOAD", "k", file) == busy
    assert error(raw, "BW.LOAD", "k", *first) == busy
    assert raw.execute_command("BW.EXISTS", "k", "a") == 1
    raw.execute_command("BW.LOAD", "k", file[5000:], "AT", 5000, "OF", len(file))
    assert raw.execute_command("BW.EXISTS", "k", "a") == 0


def test_loading_can_be_aborted(raw):
    raw.execute_command("BW.CREATE", "k", "bloom", "CAPACITY", 100_000)
    raw.execute_command("BW.ADD", "k", "a")
    file = raw.execute_command("BW.DUMP", "k")
    for key in ("k", "new"):
        raw.execute_command("BW.LOAD", key, file[:5000], "AT", 0, "OF", len(file), "REPLACE")
        raw.execute_command("BW.LOAD", key, "", "ABORT")
        assert "no filter is arriving" in error(raw, "BW.LOAD", key, "", "ABORT")
    assert raw.execute_command("BW.EXISTS", "k", "a") == 1 and not raw.exists("new")


def test_every_file_of_the_format_is_loaded_in_chunks(raw):
    """Among them filters of fixed sets, of shards, and patched ones; those that accept items do so afterwards."""
    for path in sorted(FILES.glob("*.bloomwise")):
        file = path.read_bytes()
        if path.name.endswith("-short.bloomwise") or len(file) < 100:
            continue
        raw.delete("whole", "chunks")
        try:
            raw.execute_command("BW.LOAD", "whole", file)
        except ResponseError as refused:
            assert "patch" in str(refused), (path, refused)
            continue
        cut = max(4096, len(file) // 2)
        for at, chunk in ((0, file[:cut]), (cut, file[cut:])):
            if chunk:
                raw.execute_command("BW.LOAD", "chunks", chunk, "AT", at, "OF", len(file))
        assert raw.execute_command("BW.DUMP", "chunks") == file, path
        for key in ("whole", "chunks"):
            try:
                answers = raw.execute_command("BW.ADD", key, *range(50))
            except ResponseError as refused:
                assert "cannot" in str(refused), (path, refused)
                answers = [refused]
            added = [n for n, answer in enumerate(answers) if not isinstance(answer, ResponseError)]
            assert not added or all(raw.execute_command("BW.EXISTS", key, *added)), path
        assert raw.execute_command("BW.DUMP", "chunks") == raw.execute_command("BW.DUMP", "whole"), path


def test_hashing_can_be_chosen(raw):
    for hashing in ("xxh3:7", "siphash:000102030405060708090a0b0c0d0e0f"):
        for key in ("one", "two"):
            raw.execute_command("BW.CREATE", key, "bloom", "CAPACITY", 100, "HASH", hashing)
            raw.execute_command("BW.ADD", key, *range(100))
        assert raw.execute_command("BW.DUMP", "one") == raw.execute_command("BW.DUMP", "two")
        raw.delete("one", "two")
    for key in ("one", "two"):
        raw.execute_command("BW.CREATE", key, "bloom", "CAPACITY", 100)
        raw.execute_command("BW.ADD", key, *range(100))
    assert raw.execute_command("BW.DUMP", "one") != raw.execute_command("BW.DUMP", "two"), "secrets"
