"""What a server does with keys of any type, it does with filters, too."""

import pytest
from redis.exceptions import ResponseError

from filters import answers, fill
from server import HANGS, wait_for


def test_copy_rename_delete_unlink(r, raw):
    before = fill(r, raw)
    assert r.copy("cuckoo", "copy") and r.copy("arriving", "part")
    assert r.execute_command("BW.EXISTS", "copy", *range(3000)) == before["cuckoo"][:3000]
    r.execute_command("BW.ADD", "copy", "only in the copy")
    assert r.execute_command("BW.INFO", "cuckoo")[3] + 1 == r.execute_command("BW.INFO", "copy")[3]
    r.rename("growing", "other")
    assert all(r.execute_command("BF.MEXISTS", "other", *range(3000)))
    r.rename("other", "growing")
    assert answers(r) == before
    assert r.delete("copy") == 1 and r.unlink("part", "cuckoo", "whole") == 3
    assert r.execute_command("BF.EXISTS", "cuckoo", "1") == 0
    assert "bloomwise_kind_cuckoo" not in r.info("bloomwise")


def test_large_filters_are_freed_in_the_background(start):
    # A server of its own, since others may still free the keys of the test before.
    r = start().client()
    r.execute_command("BF.RESERVE", "large", "0.01", 50_000_000)
    r.execute_command("BF.RESERVE", "small", "0.01", 100)
    freed = lambda: r.info("stats").get("lazyfreed_objects", r.info("memory").get("lazyfreed_objects"))
    memory, before = r.info("memory")["used_memory"], freed()
    r.unlink("large", "small")
    # The server counts an object after it has freed it.
    wait_for(lambda: freed() > before)
    assert freed() == before + 1, "the large one, and only that"
    assert r.info("memory")["used_memory"] < memory - 60_000_000
    assert r.info("bloomwise")["bloomwise_bytes"] == 0


def test_memory_usage_is_what_the_server_uses(start):
    for command in (
        "BF.RESERVE k 0.01 1000000",
        "BW.CREATE k cuckoo CAPACITY 1000000",
        "BW.CREATE k counting CAPACITY 300000",
    ):
        # A server of its own, since others may free a deleted filter later.
        r = start().client()
        before = r.info("memory")["used_memory"]
        r.execute_command(*command.split())
        used = r.info("memory")["used_memory"] - before
        # The server's allocator rounds up, by a quarter at most.
        assert 0.78 < r.memory_usage("k", samples=0) / used < 1.02, command
        assert 0.78 < r.info("bloomwise")["bloomwise_bytes"] / used < 1.02, command


def test_transactions_and_scripts(r):
    with r.pipeline(transaction=True) as pipe:
        pipe.execute_command("BF.ADD", "k", "a")
        pipe.execute_command("BF.EXISTS", "k", "a")
        pipe.execute_command("BW.CREATE", "c", "cuckoo", "CAPACITY", 10)
        pipe.execute_command("BW.ADD", "c", "a")
        pipe.execute_command("DEL", "k")
        pipe.execute_command("BF.EXISTS", "k", "a")
        assert pipe.execute() == [1, 1, "OK", 1, 1, 0]
    script = """
        redis.call('BF.ADD', KEYS[1], ARGV[1])
        local stamped = redis.call('BW.EXISTS', KEYS[2], 'x', 'WITHSTAMP')
        redis.call('BW.MISS', KEYS[2], 'x', 'SINCE', stamped[2])
        return redis.call('BF.MEXISTS', KEYS[1], ARGV[1], 'y')
    """
    assert r.eval(script, 2, "k", "c", "z") == [1, 0]
    with pytest.raises(ResponseError, match="not found"):
        r.eval("return redis.call('BW.ADD', 'none', 'x')", 0)
    with r.pipeline() as pipe:
        pipe.watch("k")
        r.execute_command("BF.ADD", "k", "changes it")
        pipe.multi()
        pipe.execute_command("BF.ADD", "k", "never")
        with pytest.raises(Exception, match="changed"):
            pipe.execute()


def test_subscribers_hear_what_happens(r, raw):
    r.config_set("notify-keyspace-events", "KEA")
    with r.pubsub() as listener:
        listener.psubscribe("__keyspace@0__:*")
        listener.get_message(timeout=HANGS)
        r.execute_command("BF.ADD", "k", "a")
        r.execute_command("BF.ADD", "k", "a")
        r.execute_command("BW.CREATE", "c", "cuckoo", "CAPACITY", 10)
        r.execute_command("BW.ADD", "c", "a")
        r.execute_command("BW.GUARD", "c", "b")
        _, stamp = r.execute_command("BW.EXISTS", "c", "b", "WITHSTAMP")
        r.execute_command("BW.MISS", "c", "b", "SINCE", stamp)
        r.execute_command("BW.REM", "c", "a")
        raw.execute_command("BW.LOAD", "d", raw.execute_command("BW.DUMP", "c"))
        r.set("end", "")
        heard = []
        while not heard or heard[-1] != ("end", "set"):
            message = listener.get_message(timeout=HANGS)
            heard.append((message["channel"].split(":")[1], message["data"]))
    r.config_set("notify-keyspace-events", "")
    assert heard == [
        ("k", "bf.reserve"),
        ("k", "bf.add"),
        ("c", "bw.create"),
        ("c", "bw.add"),
        ("c", "bw.guard"),
        ("c", "bw.miss"),
        ("c", "bw.rem"),
        ("d", "bw.load"),
        ("end", "set"),
    ]


def test_expiry(r):
    r.execute_command("BF.ADD", "k", "a")
    r.pexpire("k", 50)
    wait_for(lambda: r.execute_command("BF.EXISTS", "k", "a") == 0)
    assert not r.exists("k")


READS = "bf.exists bf.mexists bf.info bf.card bf.debug bf.scandump bw.exists bw.dump bw.info".split()
WRITES = "bf.reserve bf.add bf.madd bf.insert bf.loadchunk bw.create bw.add bw.rem bw.guard " \
    "bw.miss bw.load".split()
ALLOCATING = set(WRITES) - {"bw.rem", "bw.guard"}


def test_commands_are_described(r):
    described = r.execute_command("COMMAND", "INFO", *READS, *WRITES, "bw.list")
    described = list(described.values()) if isinstance(described, dict) else described
    for name, command in zip([*READS, *WRITES, "bw.list"], described):
        flags = command["flags"] if isinstance(command, dict) else command[2]
        assert ("readonly" in flags) == (name in READS or name == "bw.list"), name
        assert ("write" in flags) == (name in WRITES), name
        assert ("denyoom" in flags) == (name in ALLOCATING), name
    r.response_callbacks.clear()
    assert "Adds an item" in str(r.execute_command("COMMAND", "DOCS", "bf.add"))
    for command in (["BF.ADD", "k", "a"], ["BW.MISS", "k", "a", "COST", "1"], ["BW.LOAD", "k", "x", "AT", "0"]):
        assert r.execute_command("COMMAND", "GETKEYS", *command) == ["k"]
    with pytest.raises(ResponseError):
        r.execute_command("COMMAND", "GETKEYS", "BW.LIST")


def test_access_control(shared, r):
    # Redis 7.0 has no categories for commands of modules.
    categories = "bloom" in r.acl_cat()
    may_read = ["+@read"] if categories else [f"+{name}" for name in READS]
    r.execute_command("ACL", "SETUSER", "reader", "on", ">p", "~*", *may_read)
    r.execute_command("BF.ADD", "k", "a")
    with shared.client(username="reader", password="p") as reader:
        assert reader.execute_command("BF.EXISTS", "k", "a") == 1
        with pytest.raises(ResponseError, match="no permissions"):
            reader.execute_command("BF.ADD", "k", "b")
    # A key that may only be read.
    r.execute_command("ACL", "SETUSER", "selective", "on", ">p", "+@all", "%R~k")
    with shared.client(username="selective", password="p") as reader:
        assert reader.execute_command("BF.EXISTS", "k", "a") == 1
        with pytest.raises(ResponseError, match="No permissions|no permissions"):
            reader.execute_command("BF.ADD", "k", "b")
    if categories:
        r.response_callbacks.clear()
        found = r.execute_command("COMMAND", "LIST", "FILTERBY", "ACLCAT", "bloom")
        assert sorted(found) == sorted([*READS, *WRITES, "bw.list"])
    r.acl_deluser("reader", "selective")


def test_info_has_totals(r, raw):
    fill(r, raw)
    info = r.info("bloomwise")
    assert info["bloomwise_keys"] == 8 and info["bloomwise_loading"] == 1
    assert info["bloomwise_kind_counting"] == 2 and info["bloomwise_kind_growing"] == 1
    usage = sum(r.memory_usage(key, samples=0) for key in r.keys())
    assert 0.9 < info["bloomwise_bytes"] / usage <= 1
    r.flushall()
    wait_for(lambda: r.info("bloomwise")["bloomwise_keys"] == 0)
    assert r.info("bloomwise")["bloomwise_bytes"] == 0
