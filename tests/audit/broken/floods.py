"""A server that writes one line without an end."""

import sys

try:
    while True:
        sys.stdout.write("x" * 1024 * 1024)
except BrokenPipeError:
    sys.stderr.close()
