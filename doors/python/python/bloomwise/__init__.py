"""Membership filters that know what a mistake costs.

A filter answers "is this key in the set?" in about ten bits per key. A key of the set is never denied. A key outside of the set is
sometimes accepted: a false positive. You choose how often by choosing the space, and some kinds are right on the keys on which a mistake
would cost most.

>>> import bloomwise
>>> blocked = ["ads.example", "malware.example"]
>>> popular = {"bank.example": 900, "news.example": 100}  # and what a mistake costs
>>> filter = bloomwise.build("guarded", blocked, popular, bits_per_key=12)
>>> "ads.example" in filter, "bank.example" in filter
(True, False)
>>> filter.save("blocked.bloomwise")
>>> bloomwise.open("blocked.bloomwise").contains(["malware.example", "news.example"])
[True, False]

build       a filter of your keys
open        a filter in a file, mapped
load_bytes  a filter in bytes
plan        predicted rates of all kinds, and a recommendation
compare     all kinds on your own keys, measured
diff        what changed in a fixed set, as a patch for its filter
build_shard, join   parts of a filter, built apart

A key is a str, bytes or int. Many keys are a list or another iterable, a numpy array, an array or a chunked array of pyarrow, a series of polars or
pandas; the last four are read without a Python object for each key. Threads can share filters. Errors are `bloomwise.Error`, `OSError` for files,
`TypeError` for objects that are no keys.

`bloomwise.spark` builds and queries filters in Spark.
"""

from bloomwise._native import (
    Error,
    Filter,
    Patch,
    __version__,
    build,
    build_shard,
    compare,
    diff,
    join,
    load_bytes,
    open,
    plan,
)

__all__ = [
    "Error",
    "Filter",
    "Patch",
    "build",
    "build_shard",
    "compare",
    "diff",
    "join",
    "load_bytes",
    "open",
    "plan",
]
