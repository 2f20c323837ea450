"""DSC03: a description that clients cut off."""

from tests.audit.liars.stage import GET, serve

RULE = "DSC03"
PROFILE = "anthropic"
TOOLS = [{**GET, "description": "Return one note. " + "It has a text and labels. " * 100}]

if __name__ == "__main__":
    serve(TOOLS)
