"""Asks the warm process of `tests/forked.py` for a fork, and stands in for it.

It is started hundreds of times in a run of the tests, so it uses what `os`, `signal` and `socket` wrap: to import those
takes longer than all that is done here.
"""

import _socket as socket
import marshal
import posix
import sys

TYPE_CHECKING = False  # as of `typing`
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
DESCRIPTORS = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))


def main() -> int:
    # A signal waits until it is known whom to send it to: the fork may be at work before this process goes on.
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    path, module, *arguments = sys.argv[1:]
    asking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    asking.connect(path)
    told = {"module": module, "arguments": arguments, "folder": posix.getcwd(), "environment": posix.environ}
    asking.sendmsg([marshal.dumps(told)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, DESCRIPTORS)])
    pid = int.from_bytes(asking.recv(4), "big")
    for number in PASSED_ON:
        signal.signal(number, lambda number, _: posix.kill(pid, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    posix.close(0)
    posix.close(1)
    code = asking.recv(1)
    return code[0] if code else 1


if __name__ == "__main__":
    sys.exit(main())
