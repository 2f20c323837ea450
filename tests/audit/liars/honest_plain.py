"""Honest: four tools, one of each kind."""

from tests.audit.liars.stage import ADD, DELETE, GET, LIST, serve

TOOLS = [GET, LIST, ADD, DELETE]

if __name__ == "__main__":
    serve(TOOLS)
