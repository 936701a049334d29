"""The pages do what they show: docs/redis.md with two servers, and the README of the module."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import redis

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "doors"))

from page import run_python


@pytest.fixture
def hosts(start, tmp_path, monkeypatch):
    """Two servers, which clients reach as old.example and new.example; the second is the one that clients reach without a name."""
    servers = {"old.example": start(), "new.example": start()}
    old, new = (server.port for server in servers.values())
    program = shutil.which("valkey-cli") or shutil.which("redis-cli")
    command = f'port={new}\nif [ "$1" = -h ]; then [ "$2" = old.example ] && port={old}; shift 2; fi\nexec {program} -p $port "$@"\n'
    client = tmp_path / "valkey-cli"
    client.write_text(f"#!/bin/sh\n{command}")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    class Client(redis.Redis):
        def __init__(self, host="new.example"):
            super().__init__(port=servers[host].port, protocol=2)

    monkeypatch.setattr(redis, "Redis", Client)
    monkeypatch.chdir(tmp_path)


def test_guide(hosts):
    page = ROOT / "docs" / "redis.md"
    done = subprocess.run([ROOT / ".ci" / "transcript", page], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    run_python(page)


def test_readme(hosts):
    server = redis.Redis()
    server.execute_command("BW.CREATE", "built elsewhere", "bloom", "CAPACITY", 1000)
    Path("pages.bloomwise").write_bytes(server.execute_command("BW.DUMP", "built elsewhere"))
    run_python(ROOT / "doors" / "redis" / "README.md")
