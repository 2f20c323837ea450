"""PRO01: a banner on stdout."""

from tests.audit.liars.stage import GET, serve

RULE = "PRO01"
TOOLS = [GET]

if __name__ == "__main__":
    serve(TOOLS, before=lambda out: out.write("Welcome to notes 1.0!\n"))
