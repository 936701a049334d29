"""What several tests need: all kinds, the command line, and hypothesis.

Every run has the same examples; `pytest --hypothesis-profile explore` looks for others.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from hypothesis import settings

import bloomwise

settings.register_profile("tests", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("tests")

ROOT = pathlib.Path(__file__).resolve().parents[3]

# The runner of pages, which the doors share.
sys.path.insert(0, str(ROOT / "doors"))

# Kinds with filters of fixed size need more bits for the same work.
KINDS = [row["kind"] for row in bloomwise.plan(1000, bits_per_key=10)["rows"]]
ADDING = [kind for kind in KINDS if kind != "guarded"]
REMOVING = ["counting", "seesaw", "seesaw-adaptive", "cuckoo"]
UNITING = ["bloom", "blocked", "counting"]


def bits(kind):
    """Enough bits per key for a kind."""
    return 60 if kind in ("counting", "seesaw", "seesaw-adaptive", "personalized-counting") else 16


@pytest.fixture(scope="session")
def command():
    """Runs the command line and returns its JSON."""
    places = [os.environ.get("BLOOMWISE_COMMAND"), *(ROOT / "target" / name / "bloomwise" for name in ("release", "debug"))]
    program = next((place for place in places if place and pathlib.Path(place).exists()), None)
    if program is None:
        pytest.skip("the command line is not built: run `cargo build --release`, or set BLOOMWISE_COMMAND")

    def run(*arguments):
        arguments = [str(argument) for argument in arguments]
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run
