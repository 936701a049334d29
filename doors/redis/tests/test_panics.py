"""A panic in the module ends neither the server nor the last good file, and no half value reaches a replica.

The panics are made by BW.FAULT, which only a build for development has.
"""

import os
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from server import MODULE, digest, wait_for

DEBUG_MODULE = os.environ.get("BLOOMWISE_DEBUG_MODULE") or str(
    Path(MODULE).parents[1] / "debug" / "libbloomwise_redis.so"
)

# The second piece of a value: it is half written then.
HALF = ("piece", 1)


@pytest.fixture
def server(start):
    assert os.path.exists(DEBUG_MODULE), f"{DEBUG_MODULE} is missing; run cargo build first"
    return start(module=DEBUG_MODULE)


@pytest.fixture
def r(server):
    """A connection to a server with a filter of several pieces of an RDB file and of an append-only file."""
    client = server.client()
    client.execute_command("BF.RESERVE", "large", "0.01", 8_000_000)
    client.execute_command("BF.MADD", "large", *range(1000))
    client.execute_command("BF.ADD", "small", "a")
    yield client
    client.execute_command("BW.FAULT", "nowhere")
    assert all(client.execute_command("BF.MEXISTS", "large", *range(1000)))
    assert server.is_up(), server.log()


def status(r, name):
    return r.info("persistence")[name]


def background(r, command, running, last):
    """Runs a command that saves in a child process, and returns whether it was done."""
    wait_for(lambda: not status(r, running))
    r.execute_command(command)
    wait_for(lambda: not status(r, running))
    return status(r, last)


@pytest.mark.parametrize("place", [("rdb_save",), HALF], ids=["whole", "half"])
def test_failing_save_keeps_the_last_file(server, r, place):
    r.save()
    file = Path(server.folder, "dump.rdb")
    before = file.read_bytes()
    r.execute_command("BF.ADD", "small", "b")
    r.execute_command("BW.FAULT", *place)
    with pytest.raises(ResponseError):
        r.save()
    r.execute_command("BW.FAULT", *place)
    assert background(r, "BGSAVE", "rdb_bgsave_in_progress", "rdb_last_bgsave_status") == "err"
    assert file.read_bytes() == before
    assert "a bug, please report it: panicked at" in server.log()
    r.execute_command("BW.FAULT", "nowhere")
    assert background(r, "BGSAVE", "rdb_bgsave_in_progress", "rdb_last_bgsave_status") == "ok"
    same = digest(r)
    server.stop()
    server.start()
    assert digest(server.client()) == same
    r.connection_pool.disconnect()


def test_half_a_dump_is_refused(server, r):
    with server.client(decode=False) as raw:
        whole = raw.dump("large")
        r.execute_command("BW.FAULT", *HALF)
        half = raw.dump("large")
        assert len(half) < len(whole)
        with pytest.raises(ResponseError, match="Bad data format"):
            raw.restore("copy", 0, half)
        assert not raw.exists("copy")


@pytest.mark.parametrize("place", [("aof_rewrite",), HALF], ids=["whole", "half"])
def test_failing_rewrite_keeps_the_last_file(start, place):
    server = start("--appendonly", "yes", "--aof-use-rdb-preamble", "no", module=DEBUG_MODULE)
    r = server.client()
    r.execute_command("BF.RESERVE", "large", "0.01", 8_000_000)
    r.execute_command("BF.MADD", "large", *range(1000))
    rewrite = ("BGREWRITEAOF", "aof_rewrite_in_progress", "aof_last_bgrewrite_status")
    wait_for(lambda: not status(r, "aof_rewrite_in_progress"))
    r.execute_command("BW.FAULT", *place)
    assert background(r, *rewrite) == "err"
    r.execute_command("BW.FAULT", "nowhere")
    same = digest(r)
    server.stop()
    server.start()
    r = server.client()
    assert digest(r) == same
    assert background(r, *rewrite) == "ok"


def test_replica_gets_no_half_value(server, r, start):
    replica = start(module=DEBUG_MODULE)
    r.execute_command("BW.FAULT", *HALF)
    follower = replica.client()
    follower.replicaof("127.0.0.1", server.port)
    wait_for(lambda: "panicked at" in server.log())
    assert follower.info("replication")["master_link_status"] == "down"
    assert follower.dbsize() == 0
    r.execute_command("BW.FAULT", "nowhere")
    wait_for(lambda: follower.info("replication")["master_link_status"] == "up")
    assert digest(follower) == digest(r)


def test_failing_copy_is_an_error(r):
    r.execute_command("BW.FAULT", "copy")
    with pytest.raises(ResponseError, match="failed to copy"):
        r.copy("small", "copy")
    assert not r.exists("copy")


def test_server_survives_every_other_callback(server, r):
    with server.client(decode=False) as raw:
        payload = raw.dump("small")
        r.execute_command("BW.FAULT", "rdb_load")
        with pytest.raises(ResponseError, match="Bad data format"):
            raw.restore("restored", 0, payload)
    r.execute_command("BF.ADD", "unlinked", "a")
    for place, command in {
        "digest": "DEBUG DIGEST",
        "mem_usage": "MEMORY USAGE small",
        "info": "INFO bloomwise",
        "free_effort": "UNLINK unlinked",
        "free": "DEL small",
    }.items():
        r.execute_command("BW.FAULT", place)
        r.execute_command(*command.split())
        assert f"has asked for, in {place}" in server.log()
    assert r.keys() == ["large"]


def test_failing_command_is_an_error(server, r):
    for command in ("BF.EXISTS small a", "BF.ADD small b", "BW.CREATE new bloom CAPACITY 10"):
        r.execute_command("BW.FAULT", command.split()[0].lower())
        with pytest.raises(ResponseError, match="the module has failed; please report"):
            r.execute_command(*command.split())
    assert not r.exists("new") and r.execute_command("BF.CARD", "small") == 1


def test_half_changed_value_answers_with_errors(server, r, start):
    replica = start(module=DEBUG_MODULE)
    follower = replica.client()
    follower.replicaof("127.0.0.1", server.port)
    wait_for(lambda: follower.info("replication")["master_link_status"] == "up")
    with server.client(decode=False) as raw:
        file = raw.execute_command("BW.DUMP", "small")
    r.execute_command("BW.FAULT", "change")
    with pytest.raises(ResponseError, match="the module has failed"):
        r.execute_command("BF.ADD", "small", "b")
    r.execute_command("BW.FAULT", "nowhere")
    for command in ("BF.EXISTS small a", "BF.ADD small c", "BW.INFO small", "BW.DUMP small", "BF.INFO small"):
        with pytest.raises(ResponseError, match="failed while it changed this key; delete the key"):
            r.execute_command(*command.split())
    with pytest.raises(ResponseError):
        r.save()
    assert "a filter was not saved: the module failed" in server.log()
    with pytest.raises(ResponseError, match="failed to copy"):
        r.copy("small", "copy")
    assert follower.execute_command("BF.EXISTS", "small", "a") == 1, "replicas have the value before"
    with server.client(decode=False) as raw:
        raw.execute_command("BW.LOAD", "small", file, "REPLACE")
    assert r.execute_command("BF.EXISTS", "small", "a") == 1 and r.save()
