"""A cluster of three masters: a slot with filters moves while clients read and write."""

import threading

import redis
from redis.cluster import ClusterNode, RedisCluster
from redis.crc import key_slot

from server import wait_for

TAG = "{moving}"
SLOT = key_slot(b"moving")


def cluster_of(start, count):
    servers = [start("--cluster-enabled", "yes", "--cluster-node-timeout", "60000") for _ in range(count)]
    share = 16384 // count
    for n, server in enumerate(servers):
        end = 16383 if n == count - 1 else share * (n + 1) - 1
        r = server.client()
        r.execute_command("CLUSTER", "ADDSLOTSRANGE", share * n, end)
        r.execute_command("CLUSTER", "SET-CONFIG-EPOCH", n + 1)
        r.execute_command("CLUSTER", "MEET", "127.0.0.1", servers[0].port, servers[0].bus_port)
    for server in servers:
        wait_for(lambda: "cluster_state:ok" in raw_info(server))
        wait_for(lambda: f"cluster_known_nodes:{count}" in raw_info(server))
    return servers


def raw_info(server):
    with redis.Redis(port=server.port) as client:
        info = client.execute_command("CLUSTER", "INFO")
    if isinstance(info, dict):
        return "\n".join(f"{name}:{value}" for name, value in info.items())
    return info.decode()


def move(source, target):
    """Moves the slot, key by key, as redis-cli --cluster reshard does."""
    ids = [server.client().execute_command("CLUSTER", "MYID") for server in (source, target)]
    target.client().execute_command("CLUSTER", "SETSLOT", SLOT, "IMPORTING", ids[0])
    source.client().execute_command("CLUSTER", "SETSLOT", SLOT, "MIGRATING", ids[1])
    r = source.client()
    while keys := r.execute_command("CLUSTER", "GETKEYSINSLOT", SLOT, 10):
        for key in keys:
            r.execute_command("MIGRATE", "127.0.0.1", target.port, key, 0, 600_000)
    for server in (target, source):
        server.client().execute_command("CLUSTER", "SETSLOT", SLOT, "NODE", ids[1])


def test_slot_moves_while_clients_read_and_write(start):
    servers = cluster_of(start, 3)
    source = next(s for n, s in enumerate(servers) if SLOT < (16384 // 3) * (n + 1) or n == 2)
    targets = [server for server in servers if server is not source]
    nodes = [ClusterNode("127.0.0.1", server.port) for server in servers]
    connect = lambda: RedisCluster(startup_nodes=nodes, decode_responses=True)
    keys = [f"{TAG}growing{n}" for n in range(5)] + [f"{TAG}cuckoo{n}" for n in range(5)]
    r = connect()
    for key in keys:
        if "cuckoo" in key:
            r.execute_command("BW.CREATE", key, "cuckoo", "CAPACITY", 20_000)
        else:
            r.execute_command("BF.RESERVE", key, 0.01, 100)
    added, missing, stop, failures = {key: [] for key in keys}, [], threading.Event(), []

    def write(writer):
        client, n = connect(), 0
        try:
            while not stop.is_set():
                key = keys[n % len(keys)]
                command = "BW.ADD" if "cuckoo" in key else "BF.ADD"
                item = f"{writer}-{n}"
                client.execute_command(command, key, item)
                added[key].append(item)
                n += 1
        except Exception as error:
            failures.append(error)

    def read():
        client, n = connect(), 0
        try:
            while not stop.is_set():
                key = keys[n % len(keys)]
                if items := added[key][-20:]:
                    answers = client.execute_command("BW.EXISTS", key, *items, "x")
                    missing.extend(item for item, yes in zip(items, answers) if not yes)
                n += 1
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
    threads += [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_for(lambda: all(len(items) > 100 for items in added.values()))
    for target in (targets[0], targets[1], source):
        here = next(s for s in servers if s.client().execute_command("CLUSTER", "COUNTKEYSINSLOT", SLOT) > 0)
        move(here, target)
        before = {key: len(items) for key, items in added.items()}
        wait_for(lambda: all(len(added[key]) > count + 20 for key, count in before.items()))
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert not missing, missing[:5]
    assert source.client().execute_command("CLUSTER", "COUNTKEYSINSLOT", SLOT) == len(keys)
    r = connect()
    for key, items in added.items():
        assert all(r.execute_command("BW.EXISTS", key, *items)), key
