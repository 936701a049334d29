"""Files of the package and of the command line are the same files."""

import json

import pytest
from conftest import KINDS, bits

import bloomwise

POSITIVES = [f"host{n}.example" for n in range(2000)]
NEGATIVES = {f"site{n}.example": float(n % 90) + 0.5 for n in range(1500)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    (folder / "p.txt").write_text("".join(f"{key}\n" for key in POSITIVES))
    (folder / "n.tsv").write_text("".join(f"{key}\t{cost}\n" for key, cost in NEGATIVES.items()))
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_files_have_the_same_bytes(kind, files, command, tmp_path):
    options = [
        {"bits_per_key": bits(kind)},
        {"bits_per_key": bits(kind), "seed": 7, "shards": 3},
        {"bytes": bits(kind) * 300, "hash": "siphash", "seed": 2**100},
    ]
    if kind not in ("seesaw", "seesaw-adaptive"):
        options.append({"fpr": 0.02})
    for number, chosen in enumerate(options):
        path = tmp_path / f"{number}.bloomwise"
        named = [part for name, value in chosen.items() for part in (f"--{name.replace('_', '-')}", value)]
        command("build", kind, "--positives", files / "p.txt", "--negatives", files / "n.tsv", *named, "-o", path)
        built = bloomwise.build(kind, POSITIVES, NEGATIVES, **chosen)
        assert built.to_bytes() == path.read_bytes(), chosen
        assert bloomwise.open(path) == built
        built.save(path)
        command("verify", path)
        assert built.info == command("inspect", path, "--json")


def test_settings_presets_and_capacities_are_those_of_the_command(files, command, tmp_path):
    cases = [
        ("habf", {"preset": "paper", "passes": 2}, ["--preset", "paper", "--set", "passes=2"], True),
        ("balanced", {"scheme": "mht", "reads": 1.5}, ["--set", "scheme=mht", "--set", "reads=1.5"], True),
        ("habf-fast", {"cell_bits": 5}, ["--set", "cell-bits=5"], True),
        ("bloom", {"capacity": 5000}, ["--capacity", "5000"], False),
        ("growing", {"capacity": 100, "expansion": 3}, ["--capacity", "100", "--set", "expansion=3"], False),
        ("auto", {}, [], True),
    ]
    for number, (kind, options, arguments, negatives) in enumerate(cases):
        path = tmp_path / f"{number}.bloomwise"
        known = ["--negatives", files / "n.tsv"] if negatives else []
        command("build", kind, "--positives", files / "p.txt", *known, "--bits-per-key", 10, *arguments, "-o", path)
        built = bloomwise.build(kind, POSITIVES, NEGATIVES if negatives else None, bits_per_key=10, **options)
        assert built.to_bytes() == path.read_bytes(), kind


def test_reports_plans_and_answers_agree(files, command, tmp_path):
    path = tmp_path / "f.bloomwise"
    arguments = ["--positives", files / "p.txt", "--negatives", files / "n.tsv", "--bits-per-key", 4, "-o", path, "--json"]
    report = command("build", "guarded", *arguments)
    built = bloomwise.build("guarded", POSITIVES, NEGATIVES, bits_per_key=4)
    names = ["kind", "keys", "duplicates", "known_negatives", "overlap", "guarded", "exact", "wrong", "shards"]
    assert {name: built.report[name] for name in names} == {name: report[name] for name in names}

    plan = command("plan", "--positives", files / "p.txt", "--costs", files / "n.tsv", "--bits-per-key", 9, "--json")
    assert bloomwise.plan(POSITIVES, NEGATIVES, bits_per_key=9) == plan
    by_costs = bloomwise.plan(2000, costs=list(NEGATIVES.values()), bits_per_key=9)
    assert (by_costs["recommended"], by_costs["why"]) == (plan["recommended"], plan["why"])
    assert bloomwise.plan(2000, NEGATIVES, bits_per_key=9) == plan
    numbers = command("plan", "--positives", 10**9, "--negatives", 10**7, "--fpr", 0.01, "--needs", "insert", "--json")
    assert bloomwise.plan(10**9, 10**7, fpr=0.01, needs=["insert"]) == numbers

    asked = list(NEGATIVES)[:300]
    lines = command("query", path, *asked).splitlines()
    assert [line.split("\t")[0] == "yes" for line in lines] == built.contains(asked)


def test_shards_and_patches_cross_over(files, command, tmp_path):
    size = ["--bits-per-key", 9]
    command("shard", "guarded", "--positives", files / "p.txt", *size, "--shards", 2, "--share", 0, "-o", tmp_path / "0")
    bloomwise.build_shard("guarded", POSITIVES, shards=2, shard=1, path=tmp_path / "1", bits_per_key=9)
    bloomwise.join([tmp_path / "1", tmp_path / "0"], tmp_path / "joined")
    command("build", "guarded", "--positives", files / "p.txt", *size, "--shards", 2, "-o", tmp_path / "whole")
    assert (tmp_path / "joined").read_bytes() == (tmp_path / "whole").read_bytes()

    base = bloomwise.open(tmp_path / "whole")
    today = POSITIVES[20:] + [f"new{n}.example" for n in range(30)]
    (tmp_path / "today.txt").write_text("".join(f"{key}\n" for key in today))
    patch = bloomwise.diff(base, today, POSITIVES, NEGATIVES)
    known = ["--old-positives", files / "p.txt", "--negatives", files / "n.tsv"]
    command("diff", tmp_path / "whole", "--positives", tmp_path / "today.txt", *known, "-o", tmp_path / "patch")
    assert (tmp_path / "patch").read_bytes() == patch.to_bytes()
    command("apply", tmp_path / "whole", tmp_path / "patch", "-o", tmp_path / "patched")
    patched = base.apply(bloomwise.Patch.load(tmp_path / "patch"))
    assert patched.to_bytes() == (tmp_path / "patched").read_bytes()
    assert all(patched.contains(today)) and not any(patched.contains(POSITIVES[:20] + list(NEGATIVES)))


def test_comparisons_agree(files, command, tmp_path):
    arguments = ["--positives", files / "p.txt", "--negatives", files / "n.tsv", "--kinds", "bloom,habf,guarded"]
    rows = command("compare", *arguments, "--bits-per-key", "6,9", "--json")["rows"]
    page = tmp_path / "page.html"
    ours = bloomwise.compare(POSITIVES, NEGATIVES, kinds=["bloom", "habf", "guarded"], bits_per_key=[6, 9], html=page)
    times = {name for name in rows[0] if name.endswith(("_ns", "_ns_per_key", "_spread"))}
    assert len(times) >= 6
    without = lambda rows: [{name: row[name] for name in row if name not in times} for row in rows]
    assert without(ours) == without(rows)
    text = page.read_text()
    assert text.startswith("<!") and 'bloomwise.build(&quot;' in text
    json.dumps(ours)
