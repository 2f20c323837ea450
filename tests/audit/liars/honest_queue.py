"""Honest: a get that takes the message off the queue, and says so."""

from tests.audit.liars.stage import RUNS, serve, tool

TOOLS = [tool("get_next_message", "Return the next message and take it off the queue.", RUNS)]

if __name__ == "__main__":
    serve(TOOLS)
