"""Honest: ten tools on four pages."""

from tests.audit.liars.stage import serve, tool

TOOLS = [tool(f"get_page_{n}", f"Return page {n} of the book.") for n in range(10)]

if __name__ == "__main__":
    serve(TOOLS, page=3)
