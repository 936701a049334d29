"""Types of the compiled part."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final, overload

import numpy
import numpy.typing

Key: TypeAlias = str | builtins.bytes | bytearray | int
# Iterables of keys, numpy arrays, and everything that Arrow's C data interface can pass on.
Keys: TypeAlias = Iterable[Any] | Any
Path: TypeAlias = str | PathLike[str]
Numbers: TypeAlias = Iterable[float] | Any
Negatives: TypeAlias = Mapping[Any, float] | Keys

class Error(ValueError): ...

@final
class Filter:
    @property
    def kind(self) -> str: ...
    @property
    def info(self) -> dict[str, Any]: ...
    @property
    def report(self) -> dict[str, Any] | None: ...
    def __contains__(self, key: Key, /) -> bool: ...
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
    def contains(self, keys: Key) -> bool: ...
    @overload
    def contains(self, keys: Keys) -> Any: ...
    @overload
    def add(self, keys: Key) -> bool: ...
    @overload
    def add(self, keys: Keys) -> bool | None: ...
    @overload
    def remove(self, keys: Key) -> bool: ...
    @overload
    def remove(self, keys: Keys) -> int: ...
    def guard(self, keys: Key | Keys, cost: float | Numbers | None = None) -> None: ...
    def union(self, other: Filter) -> Filter: ...
    def apply(self, patch: Patch) -> Filter: ...
    def save(self, path: Path) -> None: ...
    def to_bytes(self) -> builtins.bytes: ...

@final
class Patch:
    @property
    def added(self) -> int: ...
    @property
    def denied(self) -> int: ...
    @staticmethod
    def load(path: Path) -> Patch: ...
    @classmethod
    def from_bytes(cls, data: builtins.bytes) -> Patch: ...
    def save(self, path: Path) -> None: ...
    def to_bytes(self) -> builtins.bytes: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def build(
    kind: str,
    positives: Keys,
    negatives: Negatives | None = None,
    costs: float | Numbers | None = None,
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
    positives: Keys,
    negatives: Negatives | None = None,
    costs: float | Numbers | None = None,
    *,
    shards: int,
    shard: int,
    path: Path,
    bits_per_key: float | None = None,
    fpr: float | None = None,
    capacity: int | None = None,
    preset: str | None = None,
    seed: int | None = None,
    hash: Literal["xxh3", "siphash"] = "xxh3",
    threads: int | None = None,
    **settings: float | str,
) -> None: ...
def join(parts: Sequence[Path], path: Path) -> None: ...
def open(path: Path, check: Literal["whole", "first-use", "header"] = "whole") -> Filter: ...
def load_bytes(data: builtins.bytes) -> Filter: ...
def diff(
    base: Filter, positives: Keys, old_positives: Keys, negatives: Negatives | None = None
) -> Patch: ...
def plan(
    positives: int | Keys,
    negatives: int | Negatives | None = None,
    costs: Numbers | None = None,
    *,
    bits_per_key: float | None = None,
    bytes: int | None = None,
    fpr: float | None = None,
    needs: Sequence[Literal["insert", "remove", "guard", "union"]] = (),
    lines: float | None = None,
    unseen_share: float | None = None,
) -> dict[str, Any]: ...
def compare(
    positives: Keys,
    negatives: Negatives,
    costs: float | Numbers | None = None,
    *,
    unseen: Keys | None = None,
    holdout: float = 0.2,
    kinds: Sequence[str] | None = None,
    bits_per_key: Sequence[float] = (8, 10, 12),
    html: Path | None = None,
    seed: int | None = None,
    hash: Literal["xxh3", "siphash"] = "xxh3",
    threads: int | None = None,
    **settings: float | str,
) -> list[dict[str, Any]]: ...

# For bloomwise.spark.
_Halves: TypeAlias = tuple[
    numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]
]

def digests(
    keys: Keys, shards: int, hash: str, seed: int
) -> list[numpy.typing.NDArray[Any]]: ...
def shard_of_digests(
    kind: str,
    positives: _Halves,
    negatives: _Halves,
    costs: numpy.typing.NDArray[numpy.float64],
    *,
    shards: int,
    shard: int,
    path: Path,
    **options: Any,
) -> int: ...
