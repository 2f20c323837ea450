"""Honest: the same on the official SDK."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import ADD, DELETE, GET, LIST

TOOLS = [GET, LIST, ADD, DELETE]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
