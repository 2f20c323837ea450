"""TTL02: two tools of the same title."""

from tests.audit.liars.stage import GET, LIST, serve

RULE = "TTL02"
TOOLS = [{**GET, "title": "Note"}, {**LIST, "title": "Note"}]

if __name__ == "__main__":
    serve(TOOLS)
