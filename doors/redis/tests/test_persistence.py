"""Filters survive: a restart with RDB, with AOF, with both, and a power failure."""

import shutil
import struct
import threading
from contextlib import closing

import pytest
import redis

from files import crc64
from filters import answers, fill, finish_arriving
from server import NAMES, Server, digest, wait_for

AOF = ["--appendonly", "yes", "--appendfsync", "always"]


@pytest.mark.parametrize(
    "options",
    [
        [],
        AOF,
        [*AOF, "--aof-use-rdb-preamble", "no"],
        [*AOF, "--save", "3600", "1"],
    ],
    ids=["rdb", "aof", "aof-commands", "both"],
)
@pytest.mark.parametrize("rewrite", [False, True], ids=["", "rewritten"])
def test_restart_keeps_everything(start, options, rewrite):
    server = start(*options)
    r, raw = server.client(), server.client(decode=False)
    before = fill(r, raw)
    if "--appendonly" in options:
        if rewrite:
            r.bgrewriteaof()
            running = ("aof_rewrite_scheduled", "aof_rewrite_in_progress")
            wait_for(lambda: not any(r.info("persistence")[name] for name in running))
            assert r.info("persistence")["aof_last_bgrewrite_status"] == "ok"
            r.execute_command("BF.ADD", "growing", "after the rewrite")
        if "--save" in options:
            r.save()
    else:
        r.save()
    before = answers(r)
    same = digest(r)
    server.stop()
    server.start()
    r, raw = server.client(), server.client(decode=False)
    assert digest(r) == same
    assert answers(r) == before
    finish_arriving(raw)
    r.execute_command("DEBUG", "RELOAD")
    assert answers(r) == before


def test_power_failure_loses_no_acknowledged_write(start):
    """kill -9 under load, with appendfsync always: whatever was acknowledged is there."""
    server = start(*AOF)
    r = server.client()
    r.execute_command("BW.CREATE", "cuckoo", "cuckoo", "CAPACITY", 100_000)
    acknowledged, lock, running = {"cuckoo": set(), "growing": set()}, threading.Lock(), [True]

    def write(writer):
        client = server.client()
        n = 0
        while running[0]:
            items = [f"{writer}-{n + i}" for i in range(5)]
            n += 5
            try:
                client.execute_command("BW.ADD", "cuckoo", *items)
                with lock:
                    acknowledged["cuckoo"].update(items)
                client.execute_command("BF.MADD", "growing", *items)
                with lock:
                    acknowledged["growing"].update(items)
            except redis.exceptions.ConnectionError:
                return

    for round in range(3):
        running[0] = True
        threads = [threading.Thread(target=write, args=(f"{round}-{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        goal = 1500 * (round + 1)
        wait_for(lambda: len(acknowledged["growing"]) > goal)
        server.kill()
        running[0] = False
        for thread in threads:
            thread.join()
        server.start()
        r = server.client()
        for key, items in acknowledged.items():
            items = sorted(items)
            answers = r.execute_command("BW.EXISTS", key, *items)
            assert len(items) > goal and all(answers), f"{answers.count(0)} of {len(items)} lost"


def test_dump_and_restore(start):
    server = start()
    r, raw = server.client(), server.client(decode=False)
    before = fill(r, raw)
    for key in raw.keys():
        payload = raw.dump(key)
        raw.restore(b"copy of " + key, 0, payload)
        assert raw.dump(b"copy of " + key) == payload
        raw.restore(key, 0, payload, replace=True)
    assert answers(r) == before
    damaged = bytearray(raw.dump("growing"))
    damaged[30] ^= 1
    with pytest.raises(redis.exceptions.ResponseError):
        raw.restore("x", 0, bytes(damaged))
    assert r.ping()


@pytest.mark.skipif(len(NAMES) < 2, reason="one of the two servers is not installed")
def test_file_of_redis_loads_in_valkey():
    with closing(Server("redis-server")) as redis_server, closing(Server("valkey-server")) as valkey_server:
        before = fill(redis_server.client(), redis_server.client(decode=False))
        redis_server.client().save()
        valkey_server.stop()
        shutil.copy(f"{redis_server.folder}/dump.rdb", valkey_server.folder)
        valkey_server.start()
        assert answers(valkey_server.client()) == before
        finish_arriving(valkey_server.client(decode=False))


def test_log_says_why_a_filter_was_not_restored(start):
    server = start()
    r, raw = server.client(), server.client(decode=False)
    r.execute_command("BF.RESERVE", "k", 0.01, 100_000)
    payload = raw.dump("k")
    r.config_set("bloomwise.max-bytes", 1000)
    with pytest.raises(redis.exceptions.ResponseError):
        raw.restore("x", 0, payload)
    assert "a filter was not loaded: the filter would take" in server.log()
    r.config_set("bloomwise.max-bytes", "1mb")
    body = payload[:13] + bytes([payload[13] ^ 1]) + payload[14:-8]
    with pytest.raises(redis.exceptions.ResponseError):
        raw.restore("x", 0, body + struct.pack("<Q", crc64(body)))
    assert server.log().count("a filter was not loaded: ") == 2
