"""A server that answers every line with something that is no JSON-RPC, and then ends."""

import sys

for _line in sys.stdin:
    sys.stdout.write("Hello? [1, 2, NaN] {'not': json}\n")
    sys.stdout.flush()
    break
