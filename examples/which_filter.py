"""A block list that must not block popular hosts, from Python: what a plain filter gets wrong, what to use instead, and a picture.

    pip install ./doors/python matplotlib
    python examples/which_filter.py [picture.png]

Uses the two files beside it: 500 blocked hosts, and 500 popular ones with their daily visits.
"""

import pathlib
import sys

import bloomwise

HERE = pathlib.Path(__file__).resolve().parent
SIZES = range(5, 13)
KINDS = {"bloom": "#b0413e", "habf": "#c9a227", "guarded": "#2f6f9f"}


def read():
    blocked = (HERE / "blocked-hosts.txt").read_text().split()
    lines = (HERE / "popular-hosts.tsv").read_text().splitlines()
    popular = {host: float(visits) for host, visits in (line.split("\t") for line in lines)}
    return blocked, popular


def mistakes(filter, popular):
    """The popular hosts that a filter blocks, the most visited first."""
    hosts = [host for host in popular if host in filter]
    return sorted(hosts, key=popular.get, reverse=True)


def tell(blocked, popular):
    plain = bloomwise.build("bloom", blocked, bits_per_key=8)
    wrong = mistakes(plain, popular)
    print(f"{plain}\n  blocks {len(wrong)} popular hosts, such as {wrong[0]} with {popular[wrong[0]]:,.0f} visits a day")

    advice = bloomwise.plan(blocked, popular, bits_per_key=8)
    print(f"\nplan recommends {advice['recommended']}: {advice['why']}\n")

    better = bloomwise.build(advice["recommended"], blocked, popular, bits_per_key=8)
    print(f"{better}\n  blocks {len(mistakes(better, popular))} popular hosts, and {sum(better.contains(blocked))} of {len(blocked)} hosts that it should block")


def draw(blocked, popular, path):
    """How many visits are blocked by mistake at each size, on hosts that builds know and on hosts that they do not."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plot

    others = [f"www{n}.other.example" for n in range(50_000)]
    rows = bloomwise.compare(blocked, popular, unseen=others, kinds=list(KINDS), bits_per_key=list(SIZES))
    figure, axes = plot.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for panel, field, title in zip(axes, ("weighted_fpr", "unseen_fpr"), ("popular hosts, by visits", "50,000 other hosts")):
        for kind, colour in KINDS.items():
            points = [(row["bits_per_key"], 100 * row[field]) for row in rows if row["kind"] == kind and row[field] is not None]
            panel.plot(*zip(*points), color=colour, marker="o", markersize=4, label=kind, clip_on=False)
        panel.set_title(title, fontsize=11)
        panel.set_xlabel("bits per key")
        # Zero has a place on this axis: no mistake at all is what some kinds reach.
        panel.set_yscale("symlog", linthresh=0.01)
        panel.set_yticks([0, 0.01, 0.1, 1, 10], ["none", "0.01 %", "0.1 %", "1 %", "10 %"])
        panel.set_ylim(bottom=0)
        panel.grid(axis="y", color="#dddddd")
        panel.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("blocked by mistake")
    axes[1].legend(frameon=False)
    figure.savefig(path, dpi=150)
    print(f"\npicture: {path}")


if __name__ == "__main__":
    hosts = read()
    tell(*hosts)
    draw(*hosts, sys.argv[1] if len(sys.argv) > 1 else "which-filter.png")
