"""Replicas are equal to their master, whatever happened before and after they came."""

import threading

import pytest
from redis.exceptions import ResponseError

from filters import ask, fill, finish_arriving
from server import digest, wait_for


def follow(replica, master):
    replica.client().replicaof("127.0.0.1", master.port)
    wait_for(lambda: replica.client().info("replication")["master_link_status"] == "up")


def wait_until_equal(master, replica):
    """Waits until the replica has all that the master has replicated."""
    offset = master.client().info("replication")["master_repl_offset"]
    wait_for(lambda: replica.client().info("replication")["slave_repl_offset"] >= offset)


def change(r, start):
    """Changes of all sorts, many of which depend on chance or on the moment."""
    r.execute_command("BF.MADD", "growing", *range(start, start + 500))
    r.execute_command("BF.ADD", f"new{start}", "a")
    r.execute_command("BF.INSERT", f"newer{start}", "CAPACITY", 10, "ITEMS", "a", "b")
    r.execute_command("BW.CREATE", f"made{start}", "counting", "CAPACITY", 10)
    r.execute_command("BW.REM", "cuckoo", *range(start % 1000 + 100, start % 1000 + 110))
    r.execute_command("BW.ADD", "cuckoo", *range(start + 10_000, start + 10_010))
    for item in range(start + 200_000, start + 205_000):
        yes, stamp = r.execute_command("BW.EXISTS", "cuckoo", item, "WITHSTAMP")
        if yes:
            r.execute_command("BW.MISS", "cuckoo", item, "SINCE", stamp)
    r.execute_command("BW.MISS", "cuckoo", "refused", "SINCE", "0-0")
    r.execute_command("BW.GUARD", "cuckoo", *range(start + 300_000, start + 300_050))
    r.execute_command("BW.GUARD", "seesaw", start)
    r.execute_command("COPY", "cuckoo", f"copy{start}")


def test_replica_is_equal(start):
    """One replica from the start, one that comes later with a full synchronization, one that restarts."""
    master, first, second = start(), start(), start()
    follow(first, master)
    r, raw = master.client(), master.client(decode=False)
    fill(r, raw)
    change(r, 1000)
    follow(second, master)
    for round in range(3):
        change(r, 2000 + 1000 * round)
        # What a server does for itself, such as saving, changes no filter. It saves once at a time.
        wait_for(lambda: not second.client().info("persistence")["rdb_bgsave_in_progress"])
        second.client().bgsave()
    finish_arriving(raw)
    for replica in (first, second):
        wait_until_equal(master, replica)
        assert digest(replica.client()) == digest(r)
        assert ask(replica.client()) == ask(r)


def test_replica_has_no_limits_of_its_own(start):
    """A replica that would refuse what its master accepts would lose items."""
    master = start()
    replica = start(module_arguments=["max-bytes", "1000", "max-command-bytes", "1000"])
    follow(replica, master)
    r, raw = master.client(), master.client(decode=False)
    fill(r, raw)
    raw.restore("restored", 0, raw.dump("growing"))
    wait_until_equal(master, replica)
    assert digest(replica.client()) == digest(r)


@pytest.mark.parametrize("command", ["BF.MADD", "BF.INSERT", "BW.ADD"])
def test_what_a_limit_refuses_is_not_replicated(start, command):
    """Replicas and append-only files have no limits: they must not add what the master refused."""
    master, replica = start("--appendonly", "yes", "--aof-use-rdb-preamble", "no"), start()
    follow(replica, master)
    r = master.client()
    r.config_set("bloomwise.max-bytes", 3000)
    r.execute_command("BF.RESERVE", "k", 0.01, 1000, "HASH", "xxh3:1")
    n = 0
    while r.execute_command("BF.CARD", "k") < 999:
        r.execute_command("BF.ADD", "k", n)
        n += 1
    items = [f"x{i}" for i in range(8)] + [0, 1]
    answers = r.execute_command(command, "k", *(["ITEMS"] if command == "BF.INSERT" else []), *items)
    refused = [answer for answer in answers if isinstance(answer, ResponseError)]
    assert answers[0] == 1 and len(refused) >= 6 and answers[-2:] == [0, 0]
    assert r.execute_command("BF.INFO", "k", "FILTERS") == [1]
    wait_until_equal(master, replica)
    assert digest(replica.client()) == digest(r)
    same = digest(r)
    r.execute_command("DEBUG", "LOADAOF")
    assert digest(r) == same


def test_damaged_upload_is_forgotten_by_replicas(start):
    """Without a command that must fail there."""
    master, replica = start("--appendonly", "yes", "--aof-use-rdb-preamble", "no"), start()
    follow(replica, master)
    raw = master.client(decode=False)
    raw.execute_command("BW.CREATE", "k", "bloom", "CAPACITY", 100_000)
    file = bytearray(raw.execute_command("BW.DUMP", "k"))
    file[9000] ^= 1
    damaged = bytes(file)
    for key in ("k", "new"):
        raw.execute_command("BW.LOAD", key, damaged[:5000], "AT", 0, "OF", len(file), "REPLACE")
        with pytest.raises(ResponseError):
            raw.execute_command("BW.LOAD", key, damaged[5000:], "AT", 5000, "OF", len(file))
    wait_until_equal(master, replica)
    r = master.client()
    same = digest(r)
    assert digest(replica.client()) == same and replica.client().keys() == ["k"]
    calls = replica.client().info("commandstats")["cmdstat_bw.load"]
    assert calls["failed_calls"] == 0 and "CRITICAL" not in replica.log(), replica.log()
    r.execute_command("DEBUG", "LOADAOF")
    assert digest(r) == same


def test_digest_of_a_part_does_not_depend_on_the_chunks(start):
    """A replica that synchronizes gets a part in other pieces than its master."""
    server = start()
    raw = server.client(decode=False)
    raw.execute_command("BW.CREATE", "k", "bloom", "CAPACITY", 100_000)
    file = raw.execute_command("BW.DUMP", "k")
    digests = set()
    for size in (5000, 10_000, 30_000):
        raw.delete("part")
        for at in range(0, 60_000, size):
            raw.execute_command("BW.LOAD", "part", file[at : at + size], "AT", at, "OF", len(file))
        digests.add(raw.execute_command("DEBUG", "DIGEST-VALUE", "part")[0])
        raw.restore("part", 0, raw.dump("part"), replace=True)
        digests.add(raw.execute_command("DEBUG", "DIGEST-VALUE", "part")[0])
    assert len(digests) == 1


def test_failover_loses_nothing(start):
    """The replica becomes the master while clients write; the old master follows it."""
    master, replica = start(), start()
    follow(replica, master)
    r = master.client()
    r.execute_command("BW.CREATE", "k", "cuckoo", "CAPACITY", 50_000)
    acknowledged = []

    def write(writer):
        client = master.client()
        for n in range(1000):
            item = f"{writer}-{n}"
            client.execute_command("BW.ADD", "k", item)
            if client.wait(1, 600_000) == 1:
                acknowledged.append(item)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _, stamp = r.execute_command("BW.EXISTS", "k", "x", "WITHSTAMP")
    new = replica.client()
    new.replicaof("NO", "ONE")
    assert len(acknowledged) == 4000 and all(new.execute_command("BW.EXISTS", "k", *acknowledged))
    # The new master does not know the stamps of the old one.
    assert new.execute_command("BW.MISS", "k", "x", "SINCE", stamp) == 0
    follow(master, replica)
    new.execute_command("BW.ADD", "k", "after")
    wait_until_equal(replica, master)
    assert digest(new) == digest(master.client())


def test_what_changes_nothing_is_not_replicated(start):
    master, replica = start(), start()
    follow(replica, master)
    r = master.client()
    r.execute_command("BF.ADD", "k", "a")
    wait_until_equal(master, replica)
    replica.client().config_resetstat()
    r.execute_command("BF.ADD", "k", "a")
    r.execute_command("BF.EXISTS", "k", "a")
    r.execute_command("BF.MADD", "k", "a", "a")
    r.execute_command("BF.ADD", "k", "b")
    wait_until_equal(master, replica)
    calls = replica.client().info("commandstats")
    assert calls["cmdstat_bf.add"]["calls"] == 1
    assert "cmdstat_bf.madd" not in calls and "cmdstat_bf.exists" not in calls
