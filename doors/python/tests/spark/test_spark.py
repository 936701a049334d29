"""Filters that Spark builds are those of one machine, whatever fails; and executors answer from them."""

import glob
import os
import pathlib
import signal
import subprocess
import threading
import time
from collections import Counter

import pytest
from pyspark.sql import functions as F

import bloomwise
from bloomwise import spark as bw
from page import run_python

NAME = "concat('user', id) as key"


def names(count):
    return [f"user{n}" for n in range(count)]


def test_page_runs(session, tmp_path):
    run_python(pathlib.Path(__file__).parents[4] / "docs" / "spark.md", {"/shared": tmp_path})


def test_bytes_are_those_of_the_command(session, command, tmp_path):
    positives = session.range(20_000).selectExpr(NAME)
    # Some negatives are positives, some come twice, and some keys are null.
    known = session.range(15_000, 40_000).selectExpr(NAME, "cast(id % 7 + 0.5 as double) as price")
    known = known.unionAll(known.where("price = 2.5"))
    null = session.range(5).select(F.lit(None).cast("string").alias("key"))
    built = bw.build(
        positives.unionAll(null).unionAll(positives.limit(99)), "key", tmp_path / "ours", "habf", known, "price",
        bits_per_key=9, shards=5, seed=7, passes=2,
    )
    assert built == {"keys": 20_000, "shards": 5, "bytes": built["bytes"]}

    (tmp_path / "p.txt").write_text("".join(f"{key}\n" for key in names(20_000)))
    rows = [f"user{n}\t{n % 7 + 0.5}\n" for n in range(15_000, 40_000)]
    rows += [row for row in rows if row.endswith("\t2.5\n")]
    (tmp_path / "n.tsv").write_text("".join(rows))
    arguments = ["--bits-per-key", 9, "--shards", 5, "--seed", 7, "--set", "passes=2", "-o", tmp_path / "theirs"]
    command("build", "habf", "--positives", tmp_path / "p.txt", "--negatives", tmp_path / "n.tsv", *arguments)
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["n.tsv", "ours", "p.txt", "theirs"]


@pytest.mark.parametrize("kind", ["byte", "short", "int", "long", "string", "binary"])
def test_columns_of_every_type(session, kind, tmp_path):
    keys = session.range(-50, 100).select(F.col("id").cast("string" if kind == "binary" else kind).cast(kind).alias("key"))
    bw.build(keys, "key", tmp_path / "f", "guarded", bits_per_key=30, shards=2)
    local = [str(n) if kind in ("string", "binary") else n for n in range(-50, 100)]
    assert bloomwise.open(tmp_path / "f") == bloomwise.build("guarded", local, bits_per_key=30, shards=2)

    asked = session.range(90, 120).select(F.col("id").cast("string" if kind == "binary" else kind).cast(kind).alias("key"))
    asked = asked.unionAll(session.sql(f"select cast(null as {kind}) as key"))
    rows = asked.select("key", bw.contains(tmp_path / "f", "key").alias("yes")).collect()
    assert [row.yes for row in rows if row.key is None] == [None]
    found = [row.key for row in rows if row.yes]
    assert len(found) == 10 and bw.filter(asked, "key", tmp_path / "f").count() == 10
    computed = asked.select(bw.contains(tmp_path / "f", F.col("key")).alias("yes"))
    assert computed.where("yes").count() == 10


def test_shards_without_keys_and_a_replaced_file(session, tmp_path):
    path = tmp_path / "f"
    nothing = session.range(0).withColumnRenamed("id", "key")
    with pytest.raises(Exception, match="there are no keys"):
        bw.build(nothing, "key", path, "bloom", fpr=0.001, shards=4)
    for count in (1, 3):
        keys = session.range(count).withColumnRenamed("id", "key")
        assert bw.build(keys, "key", path, "bloom", fpr=0.001, shards=4)["keys"] == count
        assert bloomwise.open(path) == bloomwise.build("bloom", range(count), fpr=0.001, shards=4)
        asked = session.range(100).withColumnRenamed("id", "key")
        assert bw.filter(asked, "key", path).where("key < 3").count() == count


def test_learn_finds_the_costliest_absent_keys(session, tmp_path):
    events = [(f"key{n % 40}", float(n % 3)) for n in range(2000)] + [(None, 9.0)]
    positives = [f"key{n}" for n in range(0, 40, 2)]
    frame = session.createDataFrame(events, "key string, ms double")
    cost, count = Counter(), Counter()
    for key, ms in events:
        if key is not None and key not in positives:
            cost[key] += ms
            count[key] += 1
    known = session.createDataFrame([(key,) for key in positives], "key string")
    learned = bw.learn(frame, "key", known, cost="ms").collect()
    assert {row.key: (row.cost, row["count"]) for row in learned} == {key: (cost[key], count[key]) for key in count}
    assert [row.cost for row in learned] == sorted(cost.values(), reverse=True)

    bw.build(known, "key", tmp_path / "f", "guarded", negatives=bw.learn(frame, "key", known), cost="cost", bits_per_key=20, shards=1)
    by_filter = bw.learn(frame, "key", tmp_path / "f", top=7).collect()
    assert len(by_filter) == 7 and all(row["count"] == count[row.key] for row in by_filter)


def test_errors_come_before_tasks(session, tmp_path):
    keys = session.range(3).withColumnRenamed("id", "key")
    with pytest.raises(bloomwise.Error, match="no kind"):
        bw.build(keys, "key", tmp_path / "f", "blum", bits_per_key=9, shards=2)
    with pytest.raises(bloomwise.Error, match="give bits_per_key or fpr"):
        bw.build(keys, "key", tmp_path / "f", "bloom", bytes=99, shards=2)
    with pytest.raises(bloomwise.Error, match="number of shards"):
        bw.build(keys, "key", tmp_path / "f", "bloom", bits_per_key=9, shards=0)
    with pytest.raises(Exception, match="the cost of negative"):
        costs = keys.withColumn("cost", F.lit(-1.0))
        bw.build(keys, "key", tmp_path / "f", "guarded", costs, "cost", bits_per_key=9, shards=2)
    assert os.listdir(tmp_path) == []


def executors():
    """The executors of this process: grandchildren, started by the driver's Java."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}

    def descends(pid):
        return pid == os.getpid() or (pid in parents and descends(parents[pid]))

    return [int(pid) for pid, _, text in rows if "CoarseGrainedExecutorBackend" in text and descends(int(pid))]


def test_a_lost_executor_changes_nothing(session, tmp_path):
    def slow(batches):
        for batch in batches:
            time.sleep(0.3)
            yield batch

    count, shards = 200_000, 6
    keys = session.range(0, count, 1, 8).mapInArrow(slow, "id long").withColumnRenamed("id", "key")
    killed, built = [], threading.Event()

    def kill():
        """Kills an executor when the first shard is written, which is the middle of the build."""
        while not built.is_set():
            if glob.glob(str(tmp_path / "f.parts*" / "*")):
                killed.append(executors()[0])
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.005)

    # On a busy machine, a build may end before the other thread sees a shard.
    for _ in range(20):
        built.clear()
        killer = threading.Thread(target=kill)
        killer.start()
        bw.build(keys, "key", tmp_path / "f", "guarded", bits_per_key=10, shards=shards)
        built.set()
        killer.join()
        if killed:
            break
    assert killed
    assert bloomwise.open(tmp_path / "f") == bloomwise.build("guarded", range(count), bits_per_key=10, shards=shards)
    assert os.listdir(tmp_path) == ["f"]
