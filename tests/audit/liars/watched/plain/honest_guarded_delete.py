"""Honest: a folder with notes is deleted only with a flag, and the refusal says so."""

from tests.audit.liars.stage import DELETE, DELETES, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

FORCE = {"type": "boolean", "description": "Delete the notes in it as well."}
SCHEMA = parameters(folder="The id of the folder.", force=FORCE)
TOOL = tool("delete_folder", "Delete a folder; with notes in it, only if force says so.", DELETES, inputSchema=SCHEMA)


def delete_folder(arguments: Arguments) -> Answer:
    notes = rest("GET", "/notes")["notes"]
    if not arguments["force"] and any(note["folder"] == arguments["folder"] for note in notes):
        raise Failed("The folder is not empty: to delete its notes as well, say force.")
    return rest("DELETE", f"/folders/{arguments['folder']}")


def delete_note(arguments: Arguments) -> Answer:
    return rest("DELETE", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL, DELETE], acts={"delete_folder": delete_folder, "delete_note": delete_note})
