"""A filter that learns beside BF.* of the same bytes: the share of look-ups in the store that find nothing.

    python bench/learning.py [--server redis-server] [--items 1000000] [--absent 1000000] [--exponent 1.0] [--shift]

The store has `items`. Clients ask for items that it does not have, by Zipf's law: some are asked for all the time, most hardly ever. Each "yes" of a
filter is a wasted look into the store. The client of the cuckoo filter reports it (BW.MISS, with the stamp of the query).
"""

import argparse
import bisect
import itertools
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from server import Server

BATCH = 200


def zipf(count, exponent, chance):
    """Numbers of absent items, the most popular with number 0."""
    sums = list(itertools.accumulate((rank + 1) ** -exponent for rank in range(count)))
    while True:
        yield bisect.bisect_left(sums, chance.random() * sums[-1])


def parameter(r, key, name):
    """A parameter of a filter."""
    info = r.execute_command("BW.INFO", key, "FULL")
    parameters = info[info.index("parameters") + 1]
    return parameters[parameters.index(name) + 1]


def make(r, options, hashing):
    """Both filters, with the same bytes and items."""
    r.flushall()
    size = ["CAPACITY", options.items, "BITSPERKEY", options.bits]
    if options.exceptions:
        size += ["SET", "exceptions", options.exceptions]
    r.execute_command("BW.CREATE", "learning", "cuckoo", *size, "HASH", hashing)
    items = [[f"in{n}" for n in range(start, start + 1000)] for start in range(0, options.items, 1000)]
    for part in items:
        r.execute_command("BW.ADD", "learning", *part)
    # With all that learning takes: stamps, and 8 bytes for each exception.
    bytes = r.memory_usage("learning", samples=0) + 8 * parameter(r, "learning", "room")
    rate = 0.6185 ** (8 * (bytes - 500) / options.items)
    r.execute_command("BF.RESERVE", "plain", f"{rate:.9f}", options.items, "NONSCALING", "HASH", hashing)
    for part in items:
        r.execute_command("BF.MADD", "plain", *part)
    return bytes, r.memory_usage("plain", samples=0)


def ask(r, items, wasted):
    """Asks both filters, and reports the misses of the one that learns."""
    wasted["plain"] += sum(r.execute_command("BF.MEXISTS", "plain", *items, "x")[:-1])
    answers, stamp = r.execute_command("BW.EXISTS", "learning", *items, "x", "WITHSTAMP")
    pipe = r.pipeline(transaction=False)
    for item, yes in zip(items, answers[:-1]):
        if yes:
            wasted["learning"] += 1
            pipe.execute_command("BW.MISS", "learning", item, "SINCE", stamp)
    pipe.execute()


def main(options):
    server = Server(options.server)
    ends = [options.window * 2**n for n in range(options.windows)]
    if options.shift:
        ends += [ends[-1] + end for end in ends]
    wasted = [{"plain": 0, "learning": 0} for _ in ends]
    try:
        r = server.client()
        for run in range(options.runs):
            bytes = make(r, options, f"xxh3:{run}")
            traffic = zipf(options.absent, options.exponent, random.Random(run))
            done = 0
            for window, end in enumerate(ends):
                # After half of the time, other items are popular.
                first = options.absent if options.shift and window >= len(ends) // 2 else 0
                while done < end:
                    count = min(BATCH, end - done)
                    items = [f"out{first + next(traffic)}" for _ in range(count)]
                    ask(r, items, wasted[window])
                    done += count
            there = [f"in{n}" for n in range(options.items)]
            assert all(r.execute_command("BW.EXISTS", "learning", *there)), "a false negative"
        print(f"{options.items:,} items, {options.absent:,} absent ones (Zipf {options.exponent}); bytes: learning {bytes[0]:,}, "
              f"plain {bytes[1]:,}; room for {parameter(r, 'learning', 'room'):,} exceptions; mean of {options.runs} runs; no false negative")
    finally:
        server.close()
    print()
    print("| queries for absent items | plain, wasted | learning, wasted | plain / learning |")
    print("|--:|--:|--:|--:|")
    for start, end, window in zip([0, *ends], ends, wasted):
        asked = (end - start) * options.runs
        plain, learning = window["plain"] / asked, window["learning"] / asked
        ratio = f"{plain / learning:.1f}" if learning else "all"
        print(f"| to {end:,} | {plain:.3%} | {learning:.3%} | {ratio} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="redis-server")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--absent", type=int, default=1_000_000)
    parser.add_argument("--exponent", type=float, default=1.0)
    parser.add_argument("--bits", type=float, default=12.0)
    parser.add_argument("--exceptions", type=float, help="the share of the bytes for exceptions")
    parser.add_argument("--window", type=int, default=20_000)
    parser.add_argument("--windows", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--shift", action="store_true", help="after half of the time, other items are popular")
    main(parser.parse_args())
