"""Honest: tools that create, add, remove and send, and only compute."""

from tests.audit.liars.stage import serve, tool

TOOLS = [
    tool("create_embedding", "Turn a text into a vector of 384 numbers."),
    tool("add_numbers", "Add two numbers and return the sum."),
    tool("remove_background", "Cut the background out of a picture and return the rest as a PNG."),
    tool("send_query", "Send a query to the warehouse and return its rows."),
    tool("replace_text", "Replace a pattern in a text that you pass, and return the outcome."),
    tool("move_average", "Calculate a moving average over a series."),
    tool("set_difference", "Return what is in one list and not in the other."),
]

if __name__ == "__main__":
    serve(TOOLS)
