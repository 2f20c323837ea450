"""A server that ends at once, and says why on stderr."""

import sys

sys.stderr.write("Traceback (most recent call last):\nValueError: NOTES_HOME is not set\n")
sys.exit(3)
