"""Types of the compiled part."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final, overload

import numpy
import numpy.typing

__all__ = [
    "Error",
    "Filter",
    "Patch",
    "ShardBuilder",
    "__version__",
    "build",
    "build_shard",
    "compare",
    "diff",
    "digests",
    "join",
    "load_bytes",
    "open",
    "plan",
]

_Key: TypeAlias = str | builtins.bytes | bytearray | int
# Iterables of keys, numpy arrays, and everything that Arrow's C data interface can pass on.
_Keys: TypeAlias = Iterable[Any] | Any
_Path: TypeAlias = str | PathLike[str]
_Numbers: TypeAlias = Iterable[float] | Any
_Negatives: TypeAlias = Mapping[Any, float] | _Keys

__version__: str

class Error(ValueError): ...

@final
class Filter:
    @property
    def kind(self) -> str: ...
    @property
    def info(self) -> dict[str, Any]: ...
    @property
    def report(self) -> dict[str, Any] | None: ...
    def __contains__(self, key: _Key, /) -> bool: ...
    def __len__(self, /) -> int: ...
    def __bool__(self, /) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __or__(self, value: Filter, /) -> Filter: ...
    def __ror__(self, value: Filter, /) -> Filter: ...
    def __ior__(self, value: Filter, /) -> Filter: ...
    def __copy__(self) -> Filter: ...
    def __deepcopy__(self, _memo: Any) -> Filter: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @overload
    def contains(self, keys: _Key) -> bool: ...
    @overload
    def contains(self, keys: _Keys) -> Any: ...
    @overload
    def add(self, keys: _Key, *, memory: int | None = None) -> bool: ...
    @overload
    def add(self, keys: _Keys, *, memory: int | None = None) -> bool | None: ...
    @overload
    def remove(self, keys: _Key) -> bool: ...
    @overload
    def remove(self, keys: _Keys) -> int: ...
    def guard(self, keys: _Key | _Keys, cost: float | _Numbers | None = None) -> None: ...
    def union(self, other: Filter) -> Filter: ...
    def apply(self, patch: Patch) -> Filter: ...
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> builtins.bytes: ...

@final
class Patch:
    @property
    def added(self) -> int: ...
    @property
    def denied(self) -> int: ...
    @staticmethod
    def load(path: _Path) -> Patch: ...
    @classmethod
    def from_bytes(cls, data: builtins.bytes) -> Patch: ...
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> builtins.bytes: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def build(
    kind: str,
    positives: _Keys,
    negatives: _Negatives | None = None,
    costs: float | _Numbers | None = None,
    *,
    bits_per_key: float | None = None,
    bytes: int | None = None,
    fpr: float | None = None,
    capacity: int | None = None,
    shards: int | None = None,
    memory: int | None = None,
    preset: str | None = None,
    seed: int | None = None,
    hash: Literal["xxh3", "siphash"] = "xxh3",
    threads: int | None = None,
    **settings: float | str,
) -> Filter: ...
def build_shard(
    kind: str,
    positives: _Keys,
    negatives: _Negatives | None = None,
    costs: float | _Numbers | None = None,
    *,
    shards: int,
    shard: int,
    path: _Path,
    bits_per_key: float | None = None,
    fpr: float | None = None,
    capacity: int | None = None,
    preset: str | None = None,
    seed: int | None = None,
    hash: Literal["xxh3", "siphash"] = "xxh3",
    threads: int | None = None,
    **settings: float | str,
) -> None: ...
def join(parts: Sequence[_Path], path: _Path) -> None: ...
def open(path: _Path, check: Literal["whole", "first-use", "header"] = "whole") -> Filter: ...
def load_bytes(data: builtins.bytes) -> Filter: ...
def diff(
    base: Filter, positives: _Keys, old_positives: _Keys, negatives: _Negatives | None = None
) -> Patch: ...
def plan(
    positives: int | _Keys,
    negatives: int | _Negatives | None = None,
    costs: _Numbers | None = None,
    *,
    bits_per_key: float | None = None,
    bytes: int | None = None,
    fpr: float | None = None,
    needs: Sequence[Literal["insert", "remove", "guard", "union"]] = (),
    lines: float | None = None,
    unseen_share: float | None = None,
) -> dict[str, Any]: ...
def compare(
    positives: _Keys,
    negatives: _Negatives,
    costs: float | _Numbers | None = None,
    *,
    unseen: _Keys | None = None,
    holdout: float = 0.2,
    kinds: Sequence[str] | None = None,
    bits_per_key: Sequence[float] = (8, 10, 12),
    html: _Path | None = None,
    seed: int | None = None,
    hash: Literal["xxh3", "siphash"] = "xxh3",
    threads: int | None = None,
    **settings: float | str,
) -> list[dict[str, Any]]: ...

# For bloomwise.spark.
@final
class ShardBuilder:
    def __new__(cls, kind: str, *, shards: int, shard: int, path: _Path, **options: Any) -> ShardBuilder: ...
    def add(self, high: Any, low: Any, cost: Any) -> None: ...
    def finish(self) -> int: ...

def digests(
    keys: _Keys, shards: int, hash: str, seed: int
) -> list[numpy.typing.NDArray[Any]]: ...
