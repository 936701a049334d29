"""BF.ADD, BF.EXISTS and BF.MEXISTS beside another module, and memory per item: one run, same server, same false positive rate.

    python bench/throughput.py [--other path/to/module.so] [--server valkey-server] [--rounds 5]

The modules take turns, and each number is the median of the rounds. Items are random numbers below 1,000,000; 32 commands in a pipeline,
20 connections. A filter has room for all of them, so it does not grow.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import server as servers

RANGE = 1_000_000
SINGLE, MANY = "__rand_int__", ["__rand_int__"] * 10


def measure(server, requests, *command):
    """Thousands of commands a second."""
    tool = server.name.replace("-server", "-benchmark")
    arguments = [tool, "-p", str(server.port), "-P", "32", "-c", "20", "-n", str(requests), "-r", str(RANGE)]
    result = subprocess.run([*arguments, "--csv", *command], capture_output=True, text=True, check=True)
    return float(result.stdout.strip().splitlines()[-1].split('","')[1].strip('"')) / 1000


def throughput(modules, name, rounds):
    results = {}
    for round in range(rounds):
        # The one that starts changes from round to round.
        order = list(modules.items())
        for label, module in order if round % 2 == 0 else reversed(order):
            servers.MODULE = module
            server = servers.Server(name)
            try:
                r = server.client()
                for kind in ([], ["NONSCALING"]):
                    key = "".join(kind) or "scaling"
                    r.execute_command("BF.RESERVE", key, 0.01, RANGE, *kind)
                    label_of = lambda what: (key.lower(), what)
                    for what, count, command in (
                        ("BF.ADD", 1_500_000, ["BF.ADD", key, SINGLE]),
                        ("BF.EXISTS", 1_500_000, ["BF.EXISTS", key, SINGLE]),
                        ("BF.MEXISTS of 10", 400_000, ["BF.MEXISTS", key, *MANY]),
                    ):
                        rate = measure(server, count, *command)
                        results.setdefault((*label_of(what), label), []).append(rate)
            finally:
                server.close()
    return results


def memory(modules, name):
    """Bits of used memory per item, and the measured rate, at the first capacity and beyond."""
    rows = []
    for label, module in modules.items():
        servers.MODULE = module
        server = servers.Server(name)
        try:
            r = server.client()
            for capacity, items, options in (
                (1_000_000, 1_000_000, ["NONSCALING"]),
                (1_000_000, 1_000_000, []),
                (10_000, 1_000_000, []),
                (100, 100, []),
            ):
                r.flushall()
                before = r.info("memory")["used_memory_dataset"]
                r.execute_command("BF.RESERVE", "k", 0.01, capacity, *options)
                for start in range(0, items, 10_000):
                    batch = [f"in{n}" for n in range(start, min(items, start + 10_000))]
                    r.execute_command("BF.MADD", "k", *batch)
                used = r.info("memory")["used_memory_dataset"] - before
                size = r.execute_command("BF.INFO", "k", "SIZE")
                size = size[0] if isinstance(size, list) else size
                wrong, tried = 0, 500_000
                for start in range(0, tried, 10_000):
                    wrong += sum(r.execute_command("BF.MEXISTS", "k", *[f"out{n}" for n in range(start, start + 10_000)]))
                deviation = (0.01 * 0.99 / tried) ** 0.5
                above = (wrong / tried - 0.01) / deviation
                rows.append((label, capacity, items, " ".join(options) or "scaling", 8 * size / items, 8 * used / items, wrong / tried, above))
        finally:
            server.close()
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--other", help="another module with BF.*")
    parser.add_argument("--server", default="valkey-server")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    modules = {"bloomwise": servers.MODULE}
    if options.other:
        modules["other"] = options.other
    results = throughput(modules, options.server, options.rounds)
    print(f"| filter | command | {' | '.join(modules)} | ratio |")
    print("|---|---|" + "--:|" * (len(modules) + 1))
    for kind, what in dict.fromkeys((kind, what) for kind, what, _ in results):
        medians = [statistics.median(results[kind, what, label]) for label in modules]
        ratio = f"{medians[0] / medians[-1]:.2f}"
        print(f"| {kind} | {what} | {' | '.join(f'{median:.0f} k/s' for median in medians)} | {ratio} |")
    print()
    print("| module | first capacity | items | filter | bits per item (BF.INFO) | bits per item (used memory) | measured rate | deviations above 1 % |")
    print("|---|--:|--:|---|--:|--:|--:|--:|")
    for label, capacity, items, kind, bits, used, rate, above in memory(modules, options.server):
        print(f"| {label} | {capacity:,} | {items:,} | {kind} | {bits:.2f} | {used:.2f} | {rate:.3%} | {above:+.1f} |")
