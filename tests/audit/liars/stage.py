"""What the small servers of this folder stand on: the protocol in plain text, so that each can be wrong in one way.

Standard library only, and little of it: a liar starts in a few milliseconds, and no SDK corrects what it says.
"""

from __future__ import annotations

import sys

from tests.audit.liars import bare_json as json

TYPE_CHECKING = False  # as of `typing`, which takes longer to import than a liar to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Final, TextIO

    Definition = Mapping[str, Any]
    Arguments = Mapping[str, Any]
    Answer = Mapping[str, Any] | str
    Act = Callable[[Arguments], Answer]
    """What a tool does: an object is answered as structured content, a text as text."""
else:
    Definition = Arguments = Answer = Act = object

READS: Final = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
ADDS: Final = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
ENSURES: Final = {**ADDS, "idempotentHint": True}
DELETES: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
RUNS: Final = {**DELETES, "idempotentHint": False}

ID: Final = {"type": "object", "properties": {"id": {"type": "string", "description": "The id of the note."}}}
MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-11-25"
NO_SUCH_METHOD: Final = -32601


def tool(name: str, description: str, hints: Mapping[str, Any] | None = READS, **fields: Any) -> dict[str, Any]:
    """Make a tool that is complete and honest but for what is said otherwise; None leaves a field out."""
    title = name.replace("_", " ").title()
    definition: dict[str, Any] = {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": ID,
        "annotations": hints,
        **fields,
    }
    return {key: value for key, value in definition.items() if value is not None}


GET: Final = tool("get_note", "Return one note by its id, with its text and labels.")
LIST: Final = tool("list_notes", "List the notes of one notebook, the newest first.")
ADD: Final = tool("add_note", "Write down a new note and return its id.", ADDS)
DELETE: Final = tool("delete_note", "Delete a note for good.", DELETES)


def parameters(**described: str | Mapping[str, Any]) -> dict[str, Any]:
    """Make an input schema: a text describes a string, anything else is the parameter's schema."""
    made = {
        name: {"type": "string", "description": one} if isinstance(one, str) else one for name, one in described.items()
    }
    return {"type": "object", "properties": made, "required": list(described)}


class Failed(Exception):
    """A call that came to nothing, in words for the caller."""


class Speaker:
    """Answers JSON-RPC lines; the tools are text, so that they can be malformed."""

    def __init__(self, tools: Sequence[str], *, name: str, eras: Sequence[str], page: int) -> None:
        self.tools, self.name, self.eras, self.page = tools, name, eras, page
        self.instructions = ""
        self.acts: Mapping[str, Act] = {}

    def answer(self, request: Mapping[str, Any]) -> str | None:
        """Return the answer's text; None for a notification."""
        if "id" not in request:
            return None
        method: str = request["method"]
        params: Mapping[str, Any] = request.get("params", {})
        say = {
            "server/discover": self.discovered,
            "initialize": self.initialized,
            "tools/list": self.listed,
            "tools/call": self.called,
        }
        body = say[method](params) if method in say else None
        if body is None:
            error = {"code": NO_SUCH_METHOD, "message": "Method not found"}
            return f'{{"jsonrpc": "2.0", "id": {request["id"]}, "error": {json.dumps(error)}}}'
        return f'{{"jsonrpc": "2.0", "id": {request["id"]}, "result": {body}}}'

    def discovered(self, _params: Mapping[str, Any]) -> str | None:
        """Greet a modern client."""
        if "modern" not in self.eras:
            return None
        info = {"io.modelcontextprotocol/serverInfo": {"name": self.name, "version": "1"}}
        return json.dumps({"supportedVersions": [MODERN], **self._greeting(), "_meta": info})

    def initialized(self, _params: Mapping[str, Any]) -> str | None:
        """Greet a client of the handshake."""
        if "legacy" not in self.eras:
            return None
        info = {"name": self.name, "version": "1"}
        return json.dumps({"protocolVersion": LEGACY, **self._greeting(), "serverInfo": info})

    def _greeting(self) -> dict[str, Any]:
        return {"capabilities": {"tools": {}}, "instructions": self.instructions}

    def listed(self, params: Mapping[str, Any]) -> str | None:
        """List one page of the tools."""
        start = int(params.get("cursor", 0))
        page = ", ".join(self.tools[start : start + self.page])
        following = f', "nextCursor": "{start + self.page}"' if start + self.page < len(self.tools) else ""
        return f'{{"tools": [{page}]{following}}}'

    def called(self, params: Mapping[str, Any]) -> str | None:
        """Do what a tool does."""
        act = self.acts.get(params["name"])
        if act is None:
            return None
        try:
            done = act(params.get("arguments", {}))
        except Failed as failure:
            return _failure(str(failure))
        except KeyError as missing:
            return _failure(f"There is no {missing}.")
        structured = {} if isinstance(done, str) else {"structuredContent": done}
        text = done if isinstance(done, str) else json.dumps(done)
        return json.dumps({"content": [{"type": "text", "text": text}], **structured})


def _failure(text: str) -> str:
    return json.dumps({"content": [{"type": "text", "text": text}], "isError": True})


def serve(
    tools: Sequence[Definition | str],
    *,
    name: str = "notes",
    instructions: str = "",
    eras: Sequence[str] = ("modern", "legacy"),
    page: int = 1000,
    before: Callable[[TextIO], object] = lambda _: None,
    each: Callable[[Speaker], None] = lambda _: None,
    acts: Mapping[str, Act] | None = None,
) -> None:
    """Serve tools on stdio: `before` may write to stdout first, `each` may change things before every answer."""
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in tools]
    speaker = Speaker(texts, name=name, eras=eras, page=page)
    speaker.instructions = instructions
    speaker.acts = acts or {}
    before(sys.stdout)
    for request in _requests():
        each(speaker)
        answer = speaker.answer(request)
        if answer is not None:
            sys.stdout.write(answer.replace("\n", " ") + "\n")
            sys.stdout.flush()


def _requests() -> Iterator[Mapping[str, Any]]:
    for line in sys.stdin:
        if line.strip():
            yield json.loads(line)
