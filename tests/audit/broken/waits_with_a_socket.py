"""A server that never answers, and is connected to a socket for as long as it lives."""

import signal
import socket
import sys

signal.signal(signal.SIGTERM, signal.SIG_IGN)
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))):
    for _line in sys.stdin:
        pass
    signal.pause()
