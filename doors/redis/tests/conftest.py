"""Every test runs against every server that is installed.

A filter has a secret of its own, so its false positives are others in every run. A test whose outcome they may change gives HASH.
"""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from server import MODULE, NAMES, Server


def pytest_configure(config):
    if not NAMES:
        pytest.exit("SKIPPED: neither redis-server nor valkey-server is installed", returncode=5)
    if not os.path.exists(MODULE):
        pytest.exit(f"{MODULE} is missing; run cargo build --release first", returncode=2)


@pytest.fixture(scope="session", params=NAMES)
def name(request):
    """The name of a server."""
    return request.param


@pytest.fixture(scope="session")
def shared(name):
    """A server for all tests that leave nothing behind but keys."""
    server = Server(name)
    yield server
    server.close()


@pytest.fixture
def r(shared):
    """A connection to an empty server, RESP2."""
    client = shared.client()
    client.flushall()
    client.config_set("bloomwise.max-bytes", 1 << 27)
    client.config_set("bloomwise.max-command-bytes", 1 << 27)
    yield client
    assert shared.is_up(), shared.log()
    client.close()


@pytest.fixture
def r3(shared, r):
    """A connection to the same server, RESP3."""
    with shared.client(protocol=3) as client:
        yield client


@pytest.fixture
def raw(shared, r):
    """A connection to the same server whose answers are bytes."""
    with shared.client(decode=False) as client:
        yield client


@pytest.fixture
def start(name):
    """Starts servers of one's own."""
    servers = []

    def starter(*options, **named):
        servers.append(Server(name, *options, **named))
        return servers[-1]

    yield starter
    for server in servers:
        server.close()
