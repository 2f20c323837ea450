"""`python -m aboveboard` is the same as the `aboveboard` command."""

from aboveboard.cli import main

main()
