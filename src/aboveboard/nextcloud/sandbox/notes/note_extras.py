"""What the Notes API has besides notes: settings and attachments."""

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.files.mime import sent_type
from aboveboard.nextcloud.sandbox.notes.notes import Notes, notes_response, wrong_version
from aboveboard.nextcloud.sandbox.wire import Halt, bad_argument, json_response
from aboveboard.sandbox.wire import Response

routes = Routes()


@routes.page("GET", "/apps/notes/api/v1/settings")
def get_settings(call: Call) -> Response:
    """Where notes are kept, how their files end, how they open."""
    return notes_response(Notes(call).settings)


@routes.page("PUT", "/apps/notes/api/v1/settings")
def put_settings(call: Call) -> Response:
    """Change settings; an ending is taken as it is, an unknown mode is not."""
    given = {name: call.text(name) for name in ("notesPath", "fileSuffix", "noteMode") if name in call.arguments}
    if given.get("noteMode", "rich") not in {"rich", "edit", "preview"}:
        given["noteMode"] = "rich"
    given["notesPath"] = given.get("notesPath") or Notes(call).settings["notesPath"]
    for name, value in given.items():
        call.store.run("INSERT OR REPLACE INTO note_settings VALUES (?, ?, ?)", call.uid, name, value)
    return notes_response(Notes(call).settings)


@routes.page("POST", "/apps/notes/api/v1.4/attachment/{note}")
def upload(call: Call) -> Response:
    """A file beside the note, under a name that the server makes up."""
    notes = Notes(call)
    place = notes.find(call.number("note"))
    file = call.content.upload("file")
    folder = notes.view.find(place.parent_path)
    if file is None or folder is None:
        raise Halt(notes_response({"errorType": "Exception"}, 500))
    _, dot, ending = file.filename.rpartition(".")
    name = call.store.secret() + (f".{ending}" if dot else "")
    notes.view.tree.make_file(folder.node, name, file.content, author=call.uid)
    return notes_response({"filename": name})


@routes.page("GET", "/apps/notes/api/v1.4/attachment/{note}")
def download(call: Call) -> Response:
    """A file by its path beside the note."""
    if "path" not in call.arguments:
        raise bad_argument()
    try:
        notes = Notes(call)
        place = notes.find(call.number("note"))
    except Halt as halt:
        raise _plain() from halt
    path = call.text("path")
    file = notes.view.find(f"{place.parent_path}/{path}")
    if ".." in path.split("/") or file is None or file.node.folder:
        raise _plain()
    headers = {"content-disposition": f'attachment; filename="{file.name}"', "content-type": sent_type(file.name)}
    return Response(200, headers, notes.view.tree.content(file.node))


def _plain() -> Halt:
    """Not found, here without the header that names the versions."""
    return Halt(json_response({"errorType": "Exception"}, 404))


@routes.page("GET", "/apps/notes/api/{rest...}")
def unknown(_: Call) -> Response:
    """Any other path or version."""
    raise wrong_version()
