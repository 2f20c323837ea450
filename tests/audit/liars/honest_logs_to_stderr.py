"""Honest: a server that talks a lot, on stderr."""

import sys

from tests.audit.liars.stage import GET, Speaker, serve

TOOLS = [GET]


def talk(speaker: Speaker) -> None:
    sys.stderr.write(f"{len(speaker.tools)} tools, as ever\n")


if __name__ == "__main__":
    serve(TOOLS, each=talk)
