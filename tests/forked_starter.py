"""Asks the warm process of `tests/forked.py` for a fork, and stands in for it; it imports nothing that takes time."""

import json
import os
import signal
import socket
import sys

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    # A signal waits until it is known whom to send it to: the fork may be at work before this process goes on.
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    path, module, *arguments = sys.argv[1:]
    asking = socket.socket(socket.AF_UNIX)
    asking.connect(path)
    told = {"module": module, "arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    socket.send_fds(asking, [json.dumps(told).encode()], [0, 1, 2])
    pid = int.from_bytes(asking.recv(4), "big")
    for number in PASSED_ON:
        signal.signal(number, lambda number, _: os.kill(pid, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    os.close(0)
    os.close(1)
    code = asking.recv(1)
    return code[0] if code else 1


if __name__ == "__main__":
    sys.exit(main())
