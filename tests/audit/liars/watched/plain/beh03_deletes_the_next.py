"""BEH03: it deletes the oldest note, and on the next call the next."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("delete_oldest", "Delete the oldest note for good.", DELETES, inputSchema=parameters())


def delete_oldest(_arguments: Arguments) -> Answer:
    return rest("DELETE", f"/notes/{rest('GET', '/notes')['notes'][0]['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"delete_oldest": delete_oldest})
