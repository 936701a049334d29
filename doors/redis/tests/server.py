"""Servers that tests start: on ports that are reserved for them, in a folder of their own, stopped by their own process id."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import redis

MODULE = os.environ.get("BLOOMWISE_MODULE") or str(
    Path(__file__).parents[2] / "target" / "release" / "libbloomwise_redis.so"
)

NAMES = [name for name in ("redis-server", "valkey-server") if shutil.which(name)]


# The longest wait in seconds. It is far more than a busy machine needs, and only turns a hang into a failure.
HANGS = 600


def reserve():
    """A socket that reserves a port: while it is open, the system gives the port to no other process, but a server that names it can listen on it."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
    return one


class Server:
    """A server with the module."""

    def __init__(self, name, *options, module=MODULE, module_arguments=()):
        self.name = name
        self.module = module
        self.options = list(options)
        self.module_arguments = list(module_arguments)
        self.folder = tempfile.mkdtemp(prefix="bloomwise-redis-")
        self.reserved = [reserve(), reserve()]
        self.port, self.bus_port = (one.getsockname()[1] for one in self.reserved)
        self.process = None
        self.start()

    def start(self, *more):
        """Starts the server, again if it was stopped, and waits until it answers."""
        command = [self.name, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder]
        command += ["--cluster-port", str(self.bus_port), "--enable-debug-command", "yes", "--save", "", "--daemonize", "no"]
        command += ["--logfile", os.path.join(self.folder, "log"), *self.options, *more]
        command += ["--loadmodule", self.module, *self.module_arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + HANGS
        while time.monotonic() < deadline:
            try:
                with self.client(socket_timeout=HANGS) as client:
                    client.ping()
                    if not client.info("persistence")["loading"]:
                        return
            except redis.exceptions.BusyLoadingError:
                pass
            except redis.exceptions.ConnectionError:
                assert self.process.poll() is None, self.log()
            time.sleep(0.02)
        raise TimeoutError(self.log())

    def client(self, protocol=2, decode=True, **options):
        """A new connection. It does not hide a lost connection by trying again."""
        return redis.Redis(
            port=self.port, protocol=protocol, decode_responses=decode, retry=None, **options
        )

    def stop(self):
        """Stops the server as an operator does."""
        self.process.terminate()
        self.process.wait(timeout=HANGS)

    def kill(self):
        """Ends the server at once, as a power failure does."""
        self.process.kill()
        self.process.wait(timeout=HANGS)

    def is_up(self):
        return self.process.poll() is None

    def log(self):
        with open(os.path.join(self.folder, "log")) as log:
            return log.read()

    def close(self):
        if self.is_up():
            self.kill()
        for one in self.reserved:
            one.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def digest(client):
    """What the server says about all its keys."""
    return client.execute_command("DEBUG", "DIGEST")


def wait_for(condition):
    """Waits until a condition holds."""
    deadline = time.monotonic() + HANGS
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise TimeoutError("the condition does not hold")
