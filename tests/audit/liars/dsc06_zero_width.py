"""DSC06: a description with letters that nobody sees."""

from tests.audit.liars.stage import GET, serve

RULE = "DSC06"
TOOLS = [{**GET, "description": "Return one note by its id.\u200b\u200c\u200b"}]

if __name__ == "__main__":
    serve(TOOLS)
