"""Honest: a tool that does anything, and says so."""

from tests.audit.liars.stage import RUNS, serve, tool

TOOLS = [tool("run_command", "Run a command in the shell and return what it prints.", {**RUNS, "openWorldHint": True})]

if __name__ == "__main__":
    serve(TOOLS)
