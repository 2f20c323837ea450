"""Processes that need not import the SDK again: one warm process per test run forks each, with real pipes and sockets.

`forked("tests.audit.liars.honest_plain")` is a command to start, in place of `python -m`: a small program passes its
pipes, its environment and its folder on to the warm process, waits for the fork and ends as it does. A signal to that
small program is sent on to the fork; whoever kills it kills the fork.

`warm_interpreter()` is a program to be `sys.executable`: what the product starts of itself is forked as well, and
anything else is left to the interpreter that it stands for.

What it cannot stand for: how an interpreter starts (`PYTHON...` variables, how long imports take) and what a command
imports. Tests of those, and one of each transport, start a process of their own.
"""

import atexit
import ctypes
import gc
import marshal
import os
import runpy
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[1]
STARTER: Final = ROOT / "tests" / "forked_starter.py"
PYTHON: Final = sys.executable
STARTED_BY_THE_PRODUCT: Final = ("aboveboard", "aboveboard.search.extraction")
IMPORTED_BEFORE: Final = (
    "aboveboard.cli.sandbox",
    "aboveboard.cli.serve",
    "aboveboard.cli.verify",
    "aboveboard.kit.people.serving",
    "aboveboard.kit.serving.stdio",
    "aboveboard.kit.serving.web",
    "alembic.command",
    "http.server",
    "httpx2",
    "mcp.server.lowlevel",
    "mcp.server.stdio",
    "mcp.server.streamable_http_manager",
    "psycopg",
    "redis",
    "starlette.applications",
    "urllib.request",
    "uvicorn",
)


def forked(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module, or a file, as a fork of the warm process."""
    return (PYTHON, "-I", "-S", str(STARTER), warm_place(), module, *arguments)


@lru_cache
def warm_place() -> str:
    """Wait until the warm process listens, and return where."""
    path, process = start_warm_process()
    assert process.stdout is not None
    process.stdout.readline()  # it listens
    return path


def warm_interpreter() -> str:
    """Return a program to be `sys.executable`."""
    return _interpreter(warm_place())


def _interpreter(path: str) -> str:
    return str(Path(path).with_name("python"))


def _write_interpreter(path: str) -> None:
    """Write a program that asks for a fork where it is to run what the product starts of itself."""
    modules = "|".join(f'"-m {name} "*' for name in STARTED_BY_THE_PRODUCT)
    starter = shlex.join([PYTHON, "-I", "-S", str(STARTER), path])
    lines = (
        "#!/bin/sh",
        f'case "$* " in {modules}) shift; exec {starter} "$@";; esac',
        f'exec {shlex.quote(PYTHON)} "$@"',
    )
    program = Path(_interpreter(path))
    program.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    program.chmod(0o700)


@lru_cache
def start_warm_process() -> tuple[str, subprocess.Popen[bytes]]:
    """Start the warm process, once."""
    folder = tempfile.mkdtemp(prefix="aboveboard-forks-")
    path = str(Path(folder) / "socket")
    _write_interpreter(path)
    process = subprocess.Popen(
        [PYTHON, "-m", "tests.forked", path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # who stops the tests by Ctrl-C does not stop it in their midst
    )

    def end() -> None:
        process.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    return path, process


def prepare_services() -> None:
    """Import all of both services, and make a first sandbox of each: that one is filled, all others are copies."""
    for service in ("aboveboard.lightdash", "aboveboard.nextcloud"):
        for _, name, _ in walk_packages(import_module(service).__path__, f"{service}."):
            import_module(name)
        import_module(f"{service}.sandbox").Sandbox().close()


def _serve(path: str) -> None:
    """Fork for whoever asks, until stdin closes."""
    for name in IMPORTED_BEFORE:
        import_module(name)
    prepare_services()
    gc.freeze()  # what is imported stays in pages that all forks share
    gc.set_threshold(1_000_000, 20, 20)
    sys.executable = _interpreter(path)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    os.write(1, b"ready\n")
    while 0 not in select.select([listening, 0], [], [])[0]:  # stdin closes when the tests end
        asking, _ = listening.accept()
        with asking:
            given, descriptors, _, _ = socket.recv_fds(asking, 1 << 20, 3)
            if os.fork() == 0:
                listening.close()
                _become(asking, given, descriptors)
            for one in descriptors:
                os.close(one)
        _reap()
    _reap()


def _reap() -> None:
    """Wait for the forks that have ended, so that their time counts as this process's."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _become(asking: socket.socket, given: bytes, descriptors: list[int]) -> None:
    """Be the process that was asked for, to its end."""
    told: dict[str, Any] = marshal.loads(given)  # noqa: S302 (of our own starter)
    os.setsid()
    _join(asking)
    for number, one in enumerate(descriptors):
        os.dup2(one, number)
        os.close(one)
    os.chdir(told["folder"])
    os.environ.clear()
    os.environb.update(told["environment"])
    sys.argv = [told["module"], *told["arguments"]]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(number)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)  # held, also where a program puts another in its place
    asking.send(os.getpid().to_bytes(4, "big"))
    threading.Thread(target=_end_with_the_starter, args=[asking], daemon=True).start()
    code = 1
    try:
        if told["module"].endswith(".py"):
            runpy.run_path(told["module"], run_name="__main__")
        else:
            sys.modules.pop(told["module"], None)  # as the first to be loaded, not as one that others have imported
            runpy.run_module(told["module"], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)  # noqa: T201 (as an interpreter does)
    except BaseException as error:  # noqa: BLE001 (as an interpreter ends)
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        with suppress(OSError):  # whoever asked may be gone
            asking.send(bytes([code & 0xFF]))
        os._exit(code)


def _join(asking: socket.socket) -> None:
    """Go into the network of who asked: what `verify` closes in stays closed in."""
    pid, _, _ = struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    for kind in ("user", "net"):
        place = f"/proc/{pid}/ns/{kind}"
        if os.path.samefile(place, f"/proc/self/ns/{kind}"):
            continue
        descriptor = os.open(place, os.O_RDONLY)
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, 0):
            raise OSError(ctypes.get_errno(), f"the fork cannot join {place}")
        os.close(descriptor)


def _stream(number: int) -> IO[str]:
    """Open a standard stream as an interpreter does: what goes to stderr goes there line by line."""
    mode, buffering = ("w" if number else "r"), (1 if number == 2 else -1)
    return os.fdopen(number, mode, buffering, encoding="utf-8", closefd=False)


def _end_with_the_starter(asking: socket.socket) -> None:
    """End when the program that asked is gone: its socket closes, however it ended."""
    asking.recv(1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    _serve(sys.argv[1])
