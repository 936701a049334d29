"""Hostile payloads with right checksums: RESTORE and BW.LOAD refuse them or load them, and the server stays up.

    python tests/fuzz.py [--payloads 100000] [--seed 1] [--server redis-server]

A payload starts as a filter: made by the server, of every kind that accepts items; one of the golden files of the library, among them filters of fixed
sets, of shards, and patched ones; or shards that are put together here. Then bytes, fields of the header, parameters, cells or lengths are changed, and
all checksums made right again: those of the filter (XXH3), and the one of the server (CRC-64). Some arrive in part. Whatever is loaded nevertheless is
used: queried, added to, removed from, guarded, told about misses, inspected, dumped. Between them are commands of random words. A server that ends, or
answers "the module has failed", ends the run.
"""

import argparse
import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import redis

from files import crc64, length, mend, sharded
from server import Server

KINDS = (
    "bloom blocked counting habf habf-fast habf-cache seesaw seesaw-adaptive balanced personalized "
    "personalized-counting personalized-rejecting growing cuckoo"
).split()

INTERESTING = [0, 1, 2, 3, 7, 8, 63, 64, 65, 255, 256, 4095, 4096, 2**16, 2**20, 2**31, 2**32 - 1]
INTERESTING += [2**32, 2**40, 2**56, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]


GOLDEN = Path(__file__).parents[3] / "crates" / "bloomwise" / "tests" / "data" / "v2"


def mutate(file, chance):
    """Changes a filter, or one of its shards, in one to four places."""
    if isinstance(file, list):
        shards = list(file)
        at = chance.randrange(len(shards))
        shards[at] = mutate(shards[at], chance)
        return mutate(sharded(shards), chance) if chance.random() < 0.2 else sharded(shards)
    file = bytearray(file)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        way = chance.random()
        if way < 0.35:
            # A field of the header or a parameter.
            count = min(struct.unpack_from("<Q", file, 56)[0], 30)
            at = chance.choice([8, 16, 24, 32, 40, 48, 56, 64, *range(80, 80 + 8 * count, 8)])
            if at + 8 <= len(file):
                old = struct.unpack_from("<Q", file, at)[0]
                new = chance.choice([*INTERESTING, old + 1, old - 1, old * 2, old // 2, old ^ 1 << chance.randrange(64)])
                struct.pack_into("<Q", file, at, new % 2**64)
        elif way < 0.6:
            at = chance.randrange(len(file))
            file[at] ^= 1 << chance.randrange(8)
        elif way < 0.8:
            # A run of cells.
            at = chance.randrange(len(file))
            length = chance.randrange(1, 200)
            fill = chance.choice([b"\0", b"\xff", None])
            part = fill * length if fill else chance.randbytes(length)
            file[at : at + length] = part[: max(0, len(file) - at)]
        elif way < 0.9:
            # A family or a hash that does not belong.
            at = chance.choice([10, 12])
            file[at] = chance.randrange(18)
        else:
            cut = chance.randrange(80, len(file)) if len(file) > 80 else len(file)
            file = file[:cut] if chance.random() < 0.5 else file + chance.randbytes(chance.randrange(1, 64))
    return mend(file)


def strings(file, chance):
    """A filter in an RDB file: its length and its bytes, in one string or several."""
    total = len(file) if chance.random() < 0.9 else chance.choice([0, 1, len(file) - 1, len(file) + 1, 2**40, 2**63])
    body = b"\x02" + length(total)
    size = len(file) if chance.random() < 0.7 else chance.randrange(1, len(file) + 1)
    for at in range(0, len(file), max(size, 1)):
        chunk = file[at : at + size]
        said = len(chunk) if chance.random() < 0.98 else chance.choice([0, 2**31, 2**40, len(chunk) + 1])
        body += b"\x05" + length(said) + chunk
    return body


def dump_of(file, start, version, chance):
    """The payload of RESTORE for a filter, for a part of one, or for both, mostly as the module writes it."""
    flags = chance.choice([1, 1, 1, 1, 2, 3])
    bodies = [strings(file, chance)] if flags & 1 else []
    if flags & 2:
        bodies.append(strings(file[: chance.randrange(80, len(file)) if len(file) > 80 else 1], chance))
    if chance.random() < 0.03:
        flags = chance.choice([0, 4, 255])
    body = b"\x02" + length(flags) + b"".join(bodies)
    end = b"\x00" if chance.random() < 0.97 else chance.choice([b"", b"\x02\x01", b"\x05\x01x"])
    payload = start + body + end + version
    if chance.random() < 0.05:
        payload = bytearray(payload)
        payload[chance.randrange(len(start), len(payload) - 2)] ^= 1 << chance.randrange(8)
        payload = bytes(payload)
    return payload + struct.pack("<Q", crc64(payload))


def learn(r, key):
    """Reports misses to a filter, and returns whether it has stamps."""
    for item in range(600, 610):
        try:
            _, stamp = r.execute_command("BW.EXISTS", key, item, "WITHSTAMP")
            r.execute_command("BW.MISS", key, item, "COST", item, "SINCE", stamp)
        except redis.exceptions.ResponseError as refused:
            assert "has failed" not in str(refused), refused
            return False
    return True


COMMANDS = (
    "BF.RESERVE BF.ADD BF.MADD BF.INSERT BF.EXISTS BF.MEXISTS BF.INFO BF.CARD BF.DEBUG BF.SCANDUMP BF.LOADCHUNK "
    "BW.CREATE BW.ADD BW.REM BW.EXISTS BW.GUARD BW.MISS BW.LOAD BW.DUMP BW.INFO"
).split()

WORDS = (
    "CAPACITY ERROR EXPANSION NOCREATE NONSCALING ITEMS HASH SET BITSPERKEY BYTES COST SINCE AT OF COUNT REPLACE ABORT "
    "WITHSTAMP FULL SIZE FILTERS k exceptions fingerprint xxh3:1 siphash:1 0-0 * 0.01 1e-300 -1 nan inf"
).split()


def words(chance):
    """A command of random words, on a key of its own."""
    def word():
        way = chance.random()
        if way < 0.5:
            return chance.choice(WORDS + KINDS)
        if way < 0.8:
            return str(chance.choice(INTERESTING))
        if way < 0.9:
            return "".join(chr(256 * chance.randrange(1, 200) + chance.choice([0, 37, 200])) for _ in range(3))
        return chance.randbytes(chance.randrange(20))

    return [chance.choice(COMMANDS), "words", *(word() for _ in range(chance.randrange(8)))]


def use(pipe, key):
    """Does with a filter whatever can be done, whether it can do it or not."""
    pipe.execute_command("BW.EXISTS", key, *range(40))
    pipe.execute_command("BW.ADD", key, *range(100, 140))
    pipe.execute_command("BF.MADD", key, *range(200, 220))
    pipe.execute_command("BW.EXISTS", key, *range(100, 140))
    pipe.execute_command("BW.REM", key, *range(0, 40, 3))
    pipe.execute_command("BW.GUARD", key, *range(300, 320))
    pipe.execute_command("BW.MISS", key, 320, "SINCE", "*")
    pipe.execute_command("BW.INFO", key, "FULL")
    pipe.execute_command("BF.INFO", key)
    pipe.execute_command("BF.DEBUG", key)
    pipe.execute_command("BW.DUMP", key, "AT", 10, "COUNT", 100)
    pipe.execute_command("COPY", key, key + "copy", "REPLACE")
    pipe.execute_command("DUMP", key + "copy")
    pipe.execute_command("DEBUG", "DIGEST-VALUE", key)


def seeds(r, chance):
    """Files of all kinds, and the start and end that the server gives to their dumps."""
    files = []
    for kind in KINDS:
        for keys in (3, 60):
            r.execute_command("BW.CREATE", "s", kind, "CAPACITY", keys, "BITSPERKEY", chance.choice([14, 30, 40]), "HASH", "xxh3:1")
            r.execute_command("BW.ADD", "s", *range(keys))
            if kind in ("cuckoo", "seesaw-adaptive"):
                r.execute_command("BW.GUARD", "s", *range(1000, 1010))
            files.append(r.execute_command("BW.DUMP", "s"))
            r.delete("s")
        shards = []
        for shard in range(3):
            r.execute_command("BW.CREATE", "s", kind, "CAPACITY", 10, "BITSPERKEY", 40, "HASH", "xxh3:1")
            r.execute_command("BW.ADD", "s", *range(10 * shard, 10 * shard + 10))
            shards.append(r.execute_command("BW.DUMP", "s"))
            r.delete("s")
        r.execute_command("BW.LOAD", "s", sharded(shards))
        r.delete("s")
        files.append(shards)
    golden = [path.read_bytes() for path in sorted(GOLDEN.glob("*.bloomwise"))]
    files += [file for file in golden if len(file) > 88]
    r.execute_command("BF.RESERVE", "s", 0.01, 100, "HASH", "xxh3:1")
    for n in range(0, 400, 20):
        r.execute_command("BF.MADD", "s", *range(n, n + 20))
    files.append(r.execute_command("BW.DUMP", "s"))
    dump = r.dump("s")
    # The type and the name of the module's type: opcode, then a number of nine bytes.
    start, version = dump[:10], dump[-10:-8]
    assert struct.pack("<Q", crc64(dump[:-8])) == dump[-8:]
    r.delete("s")
    return files, start, version


def run(name, payloads, seed):
    chance, server = random.Random(seed), Server(name)
    r = server.client(decode=False)
    files, start, version = seeds(r, chance)
    outcomes = {"loaded": 0, "refused": 0, "learned": 0}
    batch = 50
    try:
        for done in range(0, payloads, batch):
            pipe = r.pipeline(transaction=False)
            for n in range(batch):
                file = mutate(chance.choice(files), chance)
                if chance.random() < 0.03:
                    file = chance.randbytes(chance.randrange(1, 300))
                key = f"k{n}"
                pipe.execute_command("DEL", key, key + "copy")
                if chance.random() < 0.5:
                    pipe.execute_command("RESTORE", key, 0, dump_of(file, start, version, chance))
                else:
                    pipe.execute_command("BW.LOAD", key, file)
                use(pipe, key)
                pipe.execute_command(*words(chance))
                pipe.execute_command("DEL", "words")
            answers = pipe.execute(raise_on_error=False)
            each = len(answers) // batch
            for n in range(batch):
                loaded = answers[n * each + 1] == b"OK"
                outcomes["loaded" if loaded else "refused"] += 1
                outcomes["learned"] += loaded and learn(r, f"k{n}")
            failed = [str(answer) for answer in answers if "has failed" in str(answer)]
            assert not failed, failed[0]
            if done % 5000 == 0:
                print(f"{name}: {done} payloads, {outcomes}", flush=True)
        assert r.ping() and server.is_up()
        used = r.info("memory")
        print(f"{name}: {payloads} payloads, {outcomes}, peak {used['used_memory_peak_human']}: the server is up")
    except (redis.exceptions.ConnectionError, AssertionError):
        print(server.log()[-6000:], file=sys.stderr)
        raise
    finally:
        server.close()
    return outcomes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--payloads", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default="redis-server")
    options = parser.parse_args()
    run(options.server, options.payloads, options.seed)
