"""Three ratios: a batch of integers to the Rust batch, single `in` to rbloom, and a build from Arrow to the command line.

    cargo build --release && cargo build --release --manifest-path doors/python/Cargo.toml --example batch
    python doors/python/bench/ratios.py [--keys 10000000]

Both sides of a ratio take turns, and the ratio is that of the medians. Answers and files are compared, too.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy
import pyarrow
import pyarrow.compute
import rbloom

import bloomwise

ROOT = pathlib.Path(__file__).resolve().parents[3]
PASSES = 7


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def show(what, ours, theirs, unit=1.0, name="s"):
    ratio = statistics.median(ours) / statistics.median(theirs)
    spread = max(max(times) / min(times) for times in (ours, theirs))
    print(f"{what:55} {statistics.median(ours) * unit:8.2f} {statistics.median(theirs) * unit:8.2f} {name:7} ratio {ratio:.2f}  (spread {spread:.2f})", flush=True)


def batches(count, folder):
    """`contains` on a numpy array, and `contains_batch` on a slice in Rust."""
    generator = numpy.random.default_rng(1)
    members = generator.integers(0, 2**64, count, dtype="u8")
    asked = numpy.concatenate([members[: count // 2], generator.integers(0, 2**64, count - count // 2, dtype="u8")])
    generator.shuffle(asked)
    asked.tofile(folder / "asked")
    program = ROOT / "doors/target/release/examples/batch"
    for kind in ("blocked", "bloom", "guarded"):
        bloomwise.build(kind, members, bits_per_key=10).save(folder / "f")
        filter = bloomwise.open(folder / "f")
        peer = subprocess.Popen([program, folder / "f", folder / "asked"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ours, theirs = [], []
        for _ in range(PASSES):
            peer.stdin.write("\n")
            peer.stdin.flush()
            seconds, accepted = peer.stdout.readline().split()
            theirs.append(float(seconds))
            seconds, answers = timed(lambda: filter.contains(asked))
            ours.append(seconds)
            assert int(answers.sum()) == int(accepted)
        peer.stdin.close()
        peer.wait()
        show(f"{kind}: contains, {count:,} numpy u64 / Rust batch", ours, theirs, 1e9 / count, "ns/key")


def singles(count):
    """`key in filter`, one after the other, and the same with rbloom."""
    words = [f"user{n}" for n in range(2 * count)]
    numbers = list(range(10**12, 10**12 + 2 * count))
    for name, keys in (("str", words), ("int", numbers)):
        peer = rbloom.Bloom(count, 0.01)
        peer.update(keys[:count])
        for kind in ("blocked", "bloom", "guarded"):
            filter = bloomwise.build(kind, keys[:count], fpr=0.01)
            ours, theirs = [], []
            for _ in range(PASSES):
                for times, one in ((theirs, peer), (ours, filter)):
                    seconds, accepted = timed(lambda: sum(key in one for key in keys))
                    assert accepted >= count
                    times.append(seconds)
            show(f"{kind}: {name} in, {2 * count:,} keys / rbloom", ours, theirs, 1e9 / (2 * count), "ns/key")


def builds(count, folder):
    """A build from a column of strings, and the command line's from a file; both write the filter."""
    column = pyarrow.compute.cast(pyarrow.array(numpy.random.default_rng(2).permutation(count)), pyarrow.string())
    column = pyarrow.compute.binary_join_element_wise("user", column, ".example", "")
    (folder / "keys.txt").write_bytes(b"\n".join(column.cast(pyarrow.binary()).to_pylist()) + b"\n")
    for kind in ("blocked", "bloom", "guarded"):
        build = [ROOT / "target/release/bloomwise", "build", kind, "--positives", folder / "keys.txt", "--bits-per-key", "10", "--force", "-o", folder / "theirs"]
        ours, theirs = [], []
        for _ in range(PASSES // 2):
            theirs.append(timed(lambda: subprocess.run(build, check=True, capture_output=True))[0])
            ours.append(timed(lambda: bloomwise.build(kind, column, bits_per_key=10).save(folder / "ours"))[0])
        assert (folder / "ours").read_bytes() == (folder / "theirs").read_bytes()
        show(f"{kind}: build, {count:,} Arrow strings / command line", ours, theirs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=10_000_000)
    count = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as folder:
        batches(count, pathlib.Path(folder))
        singles(min(count, 1_000_000) // 2)
        builds(count, pathlib.Path(folder))
