"""The script in `examples` runs, and says what the files say."""

import subprocess
import sys

import pytest
from conftest import ROOT


def test_the_story_is_told_and_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    run = [sys.executable, ROOT / "examples" / "which_filter.py", tmp_path / "picture.png"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "plan recommends guarded" in done.stdout
    assert "blocks 0 popular hosts, and 500 of 500 hosts that it should block" in done.stdout
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
