"""Honest: a server that knows only the handshake."""

from tests.audit.liars.stage import DELETE, GET, serve

TOOLS = [GET, DELETE]

if __name__ == "__main__":
    serve(TOOLS, eras=["legacy"])
