"""A server that starts another process, which stays connected to a socket for as long as it lives.

With the word `daemon`, that process leaves the server's group and session as well.
"""

import signal
import socket
import subprocess
import sys

from tests.audit.liars.stage import GET, serve

if __name__ == "__main__":
    port = sys.argv[1]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.argv[2:] == ["child"]:
        with socket.create_connection(("127.0.0.1", int(port))):
            sys.stdout.write("here\n")
            sys.stdout.flush()
            signal.pause()
    command = [sys.executable, "-m", "tests.audit.broken.leaves_a_child", port, "child"]
    alone = sys.argv[2:] == ["daemon"]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=alone)
    assert child.stdout is not None
    child.stdout.readline()
    serve([GET])
    signal.pause()
