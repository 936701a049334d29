"""Filters in Spark: built by its tasks, asked by its executors.

>>> from bloomwise import spark as bw                                             # doctest: +SKIP
>>> bw.build(keys, "key", "/shared/keys.bloomwise", "guarded", bits_per_key=10, shards=64)  # doctest: +SKIP
>>> bw.filter(events, "key", "/shared/keys.bloomwise").join(keys, "key")          # doctest: +SKIP

`path` is a file on storage that driver and executors mount at the same place. A build hashes keys where they are, sends digests of 16 bytes to
the task of their shard, builds one shard in each task and joins the files in one more task. The driver sees metadata only. A task that
fails or runs twice changes nothing: it writes a new file and renames it, and a shard has the same bytes whoever builds it.

The file is that of `bloomwise build --shards`, byte for byte. docs/spark.md has sizes and failures.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow
import pyarrow.compute
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import bloomwise
from bloomwise import _native

__all__ = ["build", "contains", "filter", "learn"]

# What a task gets: a digest and its shard. Keys of the set have no cost; a row without a digest makes sure that a shard has a task.
_DIGESTS = "shard int, high long, low long, cost double"
_BUILT = "shard int, keys long, bytes long"


def build(
    df: DataFrame,
    key: str,
    path: str | os.PathLike[str],
    kind: str,
    negatives: DataFrame | None = None,
    cost: str | None = None,
    *,
    shards: int,
    seed: int = 0,
    hash: str = "xxh3",
    **options: Any,
) -> dict[str, int]:
    """Builds a filter of the column `key` of a data frame, and writes it to `path`.

    `negatives` is a data frame with a column of the same name that holds known negatives; `cost` names its column of costs (1 by
    default). `bits_per_key` or `fpr`, `capacity`, `preset` and settings are as for `bloomwise.build`. There is a task for each of the `shards`, with about
    64 bytes of memory for each of its keys and 72 for each of its negatives. Nulls are no keys. `siphash` needs a `seed`.

    Returns the numbers of keys, bytes and shards.
    """
    _check(kind, shards, seed, hash, options)
    path = os.path.abspath(os.fspath(path))
    parts = f"{path}.parts-{uuid.uuid4().hex}"
    settings = {"shards": shards, "seed": seed, "hash": hash, **options}

    rows = _digests(df.select(F.col(key)), shards, seed, hash)
    if negatives is not None:
        costs = F.lit(1.0) if cost is None else F.col(cost).cast("double")
        known = negatives.select(F.col(key), costs.alias("cost"))
        rows = rows.unionAll(_digests(known, shards, seed, hash))
    nothing = [F.lit(None).cast("long").alias(name) for name in ("high", "low")]
    marks = df.sparkSession.range(shards).select(
        F.col("id").cast("int").alias("shard"), *nothing, F.lit(None).cast("double").alias("cost")
    )
    rows = rows.unionAll(marks).repartitionById(shards, F.col("shard"))

    def build_shards(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        builders: dict[int, _native.ShardBuilder] = {}
        for batch in batches:
            # There is one number in a task: that of its partition.
            for shard in batch.column("shard").unique().to_pylist():
                own = batch.filter(pyarrow.compute.equal(batch.column("shard"), shard))
                if shard not in builders:
                    builders[shard] = _native.ShardBuilder(kind, shard=shard, path=_part(parts, shard), threads=1, **settings)
                builders[shard].add(own.column("high"), own.column("low"), own.column("cost"))
        for shard, builder in builders.items():
            row = [shard, builder.finish(), os.path.getsize(_part(parts, shard))]
            columns = [pyarrow.array([value], field.type) for value, field in zip(row, _schema(_BUILT))]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=_schema(_BUILT))

    try:
        _in_task(df.sparkSession, lambda: os.makedirs(parts, exist_ok=True))
        built = rows.mapInArrow(build_shards, _BUILT).collect()
        missing = set(range(shards)) - {row.shard for row in built}
        if missing:
            raise RuntimeError(f"no task has built shard {min(missing)}; this is a bug, please report it")
        files = [_part(parts, shard) for shard in range(shards)]
        _in_task(df.sparkSession, lambda: bloomwise.join(files, path))
    finally:
        _in_task(df.sparkSession, lambda: shutil.rmtree(parts, ignore_errors=True))
    keys = {row.shard: row.keys for row in built}
    return {
        "keys": sum(keys.values()),
        "bytes": sum({row.shard: row.bytes for row in built}.values()),
        "shards": shards,
    }


def contains(path: str | os.PathLike[str], col: str | Column) -> Column:
    """A column that says whether the filter in `path` accepts a key; null for null.

    The column holds strings, binary or integers. An executor maps the file once for each of its Python processes; a file that was
    replaced is mapped again.
    """
    path = os.path.abspath(os.fspath(path))

    @F.arrow_udf("boolean")
    def accepts(keys: pyarrow.Array) -> pyarrow.Array:
        return _opened(path).contains(keys)

    return accepts(F.col(col) if isinstance(col, str) else col)


def filter(df: DataFrame, key: str, path: str | os.PathLike[str]) -> DataFrame:
    """The rows of a data frame whose `key` the filter in `path` accepts: all rows whose key is in its set, and a few others."""
    return df.where(contains(path, key))


def learn(
    df: DataFrame,
    key: str,
    positives: DataFrame | str | os.PathLike[str],
    cost: str | None = None,
    top: int = 100_000,
) -> DataFrame:
    """The absent keys that were looked up most, with their cost and count: known negatives for `build`.

    `df` has a row for each look-up. `positives` is a data frame with the keys of the set in a column of the same name, or the path of a filter of
    them. `cost` names the column with the cost of a look-up (1 by default). The result has the columns `key`, `cost` and `count`, the
    costliest first. It is exact; a filter instead of the keys leaves out its false positives.
    """
    rows = df.where(F.col(key).isNotNull())
    if isinstance(positives, DataFrame):
        rows = rows.join(positives.select(key).distinct(), key, "left_anti")
    else:
        rows = rows.where(~contains(positives, key))
    costs = F.lit(1.0) if cost is None else F.col(cost).cast("double")
    grouped = rows.groupBy(key).agg(F.sum(costs).alias("cost"), F.count(F.lit(1)).alias("count"))
    return grouped.orderBy(F.desc("cost"), F.asc(key)).limit(top)


def _check(kind: str, shards: int, seed: int, hash: str, options: dict[str, Any]) -> None:
    """Raises what a task would raise, before Spark starts any."""
    if options.get("bytes") is not None:
        raise bloomwise.Error("bytes needs the number of keys, which is not known here; give bits_per_key or fpr")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shard")
        bloomwise.build_shard(kind, [], shards=shards, shard=0, path=path, seed=seed, hash=hash, **options)  # type: ignore[arg-type]


def _schema(text: str) -> pyarrow.Schema:
    types = {"int": pyarrow.int32(), "long": pyarrow.int64(), "double": pyarrow.float64()}
    fields = [field.split() for field in text.split(", ")]
    return pyarrow.schema([(name, types[kind]) for name, kind in fields])


def _digests(rows: DataFrame, shards: int, seed: int, hash: str) -> DataFrame:
    """The digests of the first column, which holds keys. The second one, if there is one, holds costs."""

    def digest(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            batch = batch.filter(batch.column(0).is_valid())
            columns = [pyarrow.array(part) for part in _native.digests(batch.column(0), shards, hash, seed)]
            known = batch.num_columns > 1
            costs = batch.column(1) if known else pyarrow.nulls(batch.num_rows, pyarrow.float64())
            if known and costs.null_count > 0:
                raise bloomwise.Error("a known negative has the cost null; give each a finite cost of at least 0")
            yield pyarrow.RecordBatch.from_arrays([*columns, costs], schema=_schema(_DIGESTS))

    return rows.mapInArrow(digest, _DIGESTS)


def _part(parts: str, shard: int) -> str:
    return os.path.join(parts, f"{shard:05}")


def _in_task(spark: SparkSession, work: Callable[[], object]) -> None:
    """Does some work in one task, so that it has the storage of an executor. The task may run twice."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                work()
            yield batch

    spark.range(1).coalesce(1).mapInArrow(run, "id long").collect()


_files: dict[str, tuple[tuple[int, int, int], bloomwise.Filter]] = {}


def _opened(path: str) -> bloomwise.Filter:
    """The filter in a file, mapped once for each process and each state of the file."""
    stat = os.stat(path)
    state = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    known = _files.get(path)
    if known is None or known[0] != state:
        known = _files[path] = (state, bloomwise.open(path, check="first-use"))
    return known[1]
