"""Honest: with a new entry the balance of its account moves on, and the number of its entries."""

from tests.audit.liars.stage import ADDS, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

AMOUNT = {"type": "integer", "description": "How much."}
SCHEMA = parameters(amount=AMOUNT, account="The id of the account.")
TOOL = tool("add_entry", "Write a new entry into the book of an account.", ADDS, inputSchema=SCHEMA)


def add_entry(arguments: Arguments) -> Answer:
    state = load()
    number = max(map(int, state["entries"])) + 1
    state["entries"][str(number)] = {"account": arguments["account"], "amount": arguments["amount"]}
    account = state["accounts"][arguments["account"]]
    account["balance"] += arguments["amount"]
    account["entries"] += 1
    save(state)
    return {"id": number}


if __name__ == "__main__":
    serve([TOOL], acts={"add_entry": add_entry})
