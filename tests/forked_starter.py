"""Asks the warm process of `tests/forked.py` for a fork, and stands in for it; it imports nothing that takes time."""

import json
import os
import signal
import socket
import sys


def main() -> int:
    path, module, *arguments = sys.argv[1:]
    asking = socket.socket(socket.AF_UNIX)
    asking.connect(path)
    told = {"module": module, "arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    socket.send_fds(asking, [json.dumps(told).encode()], [0, 1, 2])
    pid = int.from_bytes(asking.recv(4), "big")
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(pid, number))
    os.close(0)
    os.close(1)
    code = asking.recv(1)
    return code[0] if code else 1


if __name__ == "__main__":
    sys.exit(main())
