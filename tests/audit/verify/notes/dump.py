"""A command that prints the state of the notes."""

import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1], timeout=10) as answer:  # noqa: S310
    sys.stdout.write(answer.read().decode())
