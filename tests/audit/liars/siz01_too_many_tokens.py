"""SIZ01: definitions that cost more than the budget."""

from tests.audit.liars.stage import GET, serve

RULE = "SIZ01"
LONG = "Return one note by its id, with its text, its labels and all that was ever written below it. " * 10
TOOLS = [{**GET, "name": f"get_note_{n}", "title": f"Get Note {n}", "description": f"{n}. {LONG}"} for n in range(120)]

if __name__ == "__main__":
    serve(TOOLS)
