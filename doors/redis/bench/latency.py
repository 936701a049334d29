"""How long other clients wait while one does something large: the longest PING during it.

    python bench/latency.py [--server redis-server] [--megabytes 100]
"""

import argparse
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from files import sharded
from server import Server


class Pings:
    """Pings all the time, and remembers the longest."""

    def __init__(self, server):
        self.server, self.longest, self.running = server, 0.0, True

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        time.sleep(0.05)
        self.longest = 0.0
        return self

    def __exit__(self, *_):
        time.sleep(0.05)
        self.running = False
        self.thread.join()

    def run(self):
        with self.server.client() as client:
            while self.running:
                start = time.perf_counter()
                client.ping()
                self.longest = max(self.longest, time.perf_counter() - start)


def main(options):
    limit = str(4 * options.megabytes * 1_000_000)
    server = Server(options.server, module_arguments=["max-bytes", limit, "max-command-bytes", limit])
    try:
        r = server.client(decode=False)
        bits = 8 * options.megabytes * 1_000_000
        print("| what | takes | longest PING meanwhile |")
        print("|---|--:|--:|")

        def measure(what, action):
            with Pings(server) as pings:
                start = time.perf_counter()
                result = action()
                took = time.perf_counter() - start
            print(f"| {what} | {1000 * took:.1f} ms | {1000 * pings.longest:.1f} ms |", flush=True)
            return result

        measure("nothing", lambda: time.sleep(0.2))
        capacity = bits // 11
        size = f"{options.megabytes} MB"
        measure(f"`BF.RESERVE` of {size}", lambda: r.execute_command("BF.RESERVE", "k", 0.01, capacity))
        for start in range(0, 2_000_000, 20_000):
            r.execute_command("BF.MADD", "k", *range(start, start + 20_000))
        first = 10_000
        r.execute_command("BF.RESERVE", "grows", 0.01, first, "EXPANSION", int(bits / 12.5 / first))
        r.execute_command("BF.MADD", "grows", *range(first - 20))
        measure(f"growth by a layer of {size} (`BF.MADD` of 100)", lambda: r.execute_command("BF.MADD", "grows", *range(20_000, 20_100)))
        file = measure("`BW.DUMP` of the whole", lambda: r.execute_command("BW.DUMP", "k"))

        def in_parts():
            at = 0
            while part := r.execute_command("BW.DUMP", "k", "AT", at, "COUNT", 1 << 20):
                at += len(part)

        measure("`BW.DUMP` in parts of 1 MiB", in_parts)
        measure("`BW.LOAD` of the whole", lambda: r.execute_command("BW.LOAD", "whole", file))

        def in_chunks():
            for at in range(0, len(file), 1 << 20):
                r.execute_command("BW.LOAD", "chunks", file[at : at + (1 << 20)], "AT", at, "OF", len(file))

        measure("`BW.LOAD` in chunks of 1 MiB", in_chunks)
        measure("`COPY`", lambda: r.copy("k", "copy"))
        r.execute_command("BW.LOAD", "shards", sharded([file]))
        measure("`COPY` of a loaded filter of shards", lambda: r.copy("shards", "copied"))
        r.delete("shards", "copied")
        measure("`UNLINK`", lambda: r.unlink("whole"))
        measure("`DEL`", lambda: r.delete("chunks"))
        measure("`BF.MEXISTS` of 10,000 items", lambda: r.execute_command("BF.MEXISTS", "k", *range(10_000)))
        measure("`BW.INFO FULL`", lambda: r.execute_command("BW.INFO", "k", "FULL"))
    finally:
        server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="redis-server")
    parser.add_argument("--megabytes", type=int, default=100)
    main(parser.parse_args())
