"""Spark with real executors on this machine: a build of many keys, and a join with a filter in front.

    python doors/python/bench/spark.py build [--keys 50000000] [--shards 32]
    python doors/python/bench/spark.py join [--rows 5000000]

`build` builds a filter twice, the second time with an executor killed in the middle, and compares both files with one that this process builds alone.
`join` joins a large table with the selected keys of a small one: plainly, with Spark's own runtime Bloom filter, and with filters of bloomwise in front. It prints
the rows that were shuffled, and times; all answers are compared.
"""

import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy
import pyarrow
import pyarrow.compute
import pyspark
from pyspark.sql import SparkSession

import bloomwise
from bloomwise import spark as bw


def start(**options):
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, SPARK_HOME=os.path.dirname(pyspark.__file__))
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g").config("spark.driver.memory", "1g")
    for name, value in {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.task.maxFailures": "8", **options}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    session.range(1000).mapInArrow(lambda batches: batches, "id long").count()  # All processes are up.
    return session


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def executors():
    """The executors of this process: grandchildren, started by the driver's Java."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    children = {int(pid) for pid, parent, _ in rows if int(parent) == os.getpid()}
    return [int(pid) for pid, parent, text in rows if "CoarseGrainedExecutorBackend" in text and int(parent) in children]


def largest_worker():
    """The most memory that one of the Python processes of executors has ever had, in bytes."""
    most = 0
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            command = (status.parent / "cmdline").read_bytes()
            if b"pyspark/daemon" in command or b"pyspark.daemon" in command:
                fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
                most = max(most, int(fields["VmHWM"].split()[0]) * 1024)
        except OSError:
            continue
    return most


def kill_in_the_middle(folder, shards):
    """Kills an executor when half of the shards are written."""
    while True:
        parts = [name for name in os.listdir(folder) if ".parts-" in name]
        if any(len(os.listdir(folder / name)) >= shards // 2 for name in parts):
            victim = executors()[0]
            os.kill(victim, signal.SIGKILL)
            print(f"killed executor {victim}", flush=True)
            return
        time.sleep(0.05)


def build(count, shards):
    session = start()
    keys = session.range(count).selectExpr("concat('user', id) as key")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        seconds, built, rows, written = shuffled(session, lambda: bw.build(keys, "key", folder / "one", "guarded", bits_per_key=10, shards=shards))
        print(f"{count:,} keys, {shards} shards: {seconds:.0f} s, {built['bytes']:,} bytes", flush=True)
        print(f"shuffled: {rows:,} rows, {written:,} bytes; most memory of a Python process: {largest_worker() / 1e6:.0f} MB", flush=True)
        killer = threading.Thread(target=kill_in_the_middle, args=(folder, shards))
        killer.start()
        seconds, built = timed(lambda: bw.build(keys, "key", folder / "two", "guarded", bits_per_key=10, shards=shards))
        killer.join()
        print(f"with a killed executor: {seconds:.0f} s", flush=True)
        session.stop()

        def batches(size=1 << 20):
            for first in range(0, count, size):
                numbers = pyarrow.array(numpy.arange(first, min(first + size, count)))
                names = pyarrow.compute.binary_join_element_wise("user", numbers.cast(pyarrow.string()), "")
                yield pyarrow.record_batch({"key": names})

        reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("key", pyarrow.string())]), batches())
        seconds, alone = timed(lambda: bloomwise.build("guarded", reader, bits_per_key=10, shards=shards, memory=2 << 30))
        print(f"one process alone, two threads, from a stream: {seconds:.0f} s", flush=True)
        expected = alone.to_bytes()
        for name in ("one", "two"):
            assert (folder / name).read_bytes() == expected, name
        print("all three files have the same bytes")


def shuffled(session, work):
    """The time of some work, its result, and the rows and bytes that its stages wrote for shuffles."""
    store = session.sparkContext._jsc.sc().statusStore()
    nothing = session._jvm.java.util.ArrayList()

    def stages():
        listed = store.stageList(nothing, False, False, session.sparkContext._gateway.new_array(session._jvm.double, 0), nothing)
        stages = [listed.apply(n) for n in range(listed.size())]
        return {stage.stageId(): (stage.shuffleWriteRecords(), stage.shuffleWriteBytes()) for stage in stages}

    before = stages()
    seconds, result = timed(work)
    time.sleep(1)  # Listeners are late.
    rows, written = map(sum, zip(*(sums for stage, sums in stages().items() if stage not in before)))
    return seconds, result, rows, written


def join(count):
    options = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.shuffle.partitions": "4", "spark.sql.adaptive.enabled": "false"}
    runtime = "spark.sql.optimizer.runtime.bloomFilter."
    session = start(**options)
    # Without the limits on the sizes of both sides, Spark uses its filter here: 8,388,608 bits, its default.
    session.conf.set(runtime + "applicationSideScanSizeThreshold", "0")
    session.conf.set(runtime + "creationSideThreshold", "1g")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # One row in fifty has a key of the small table, and one in a hundred a selected one. Absent keys repeat, as in a log: a few are asked for most.
        session.range(count).selectExpr(
            "concat('user', cast(if(id % 50 = 0, abs(hash(id)) % 2000000, 3e6 + pow(rand(1), 6) * 5e6) as long)) as key", "rand(2) as value"
        ).write.parquet(str(folder / "events"))
        session.range(2_000_000).selectExpr("concat('user', id) as key", "hash(id) % 2 as half").write.parquet(str(folder / "users"))
        events, users = session.read.parquet(str(folder / "events")), session.read.parquet(str(folder / "users"))
        chosen = users.where("half = 0")
        learned = bw.learn(events.sample(0.2, seed=3), "key", users, top=100_000)
        made, _ = timed(lambda: bw.build(chosen, "key", folder / "guarded", "guarded", learned, "cost", bits_per_key=10, shards=2))
        print(f"{count:,} rows; learnt from a fifth of them and built in {made:.0f} s: {bloomwise.open(folder / 'guarded')}", flush=True)
        plain, _ = timed(lambda: bw.build(chosen, "key", folder / "blocked", "blocked", bits_per_key=10, shards=2))
        print(f"built in {plain:.0f} s: {bloomwise.open(folder / 'blocked')}", flush=True)

        def joined(left):
            return lambda: left.join(chosen, "key").selectExpr("count(*)", "round(sum(value), 3)").first()

        ways = [
            ("no filter", "false", joined(events)),
            ("Spark's runtime filter", "true", joined(events)),
            ("bloomwise blocked", "false", joined(bw.filter(events, "key", folder / "blocked"))),
            ("bloomwise guarded, learnt", "false", joined(bw.filter(events, "key", folder / "guarded"))),
        ]
        times, answers = {name: [] for name, _, _ in ways}, set()
        for turn in range(3):
            for name, own, work in ways:
                session.conf.set(runtime + "enabled", own)
                seconds, answer, rows, _ = shuffled(session, work)
                answers.add(tuple(answer))
                if turn > 0:
                    times[name].append((seconds, rows))
        for name, runs in times.items():
            seconds, rows = statistics.median(run[0] for run in runs), runs[0][1]
            print(f"{name:28} {seconds:6.1f} s  {rows:12,} rows shuffled", flush=True)
        assert len(answers) == 1, answers
        session.conf.set(runtime + "enabled", "true")
        assert "might_contain" in events.join(chosen, "key")._jdf.queryExecution().optimizedPlan().toString()
    session.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["build", "join"])
    parser.add_argument("--keys", type=int, default=50_000_000)
    parser.add_argument("--shards", type=int, default=32)
    parser.add_argument("--rows", type=int, default=5_000_000)
    arguments = parser.parse_args()
    if arguments.what == "build":
        build(arguments.keys, arguments.shards)
    else:
        join(arguments.rows)
