"""Threads with an AI agent: prompts, and answers that depend on the prompt alone."""

from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.agents import agents
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import NUMBER, TEXT, Maybe, Object
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, storable
from aboveboard.lightdash.sandbox.store import TIMES, Store
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

THREADS_TABLE = Table(
    "threads",
    "uuid TEXT PRIMARY KEY, agent TEXT REFERENCES agents ON DELETE CASCADE, user TEXT, title TEXT, titled_at"
    " TEXT, origin TEXT, created_at TEXT",
    derived=TIMES | {"titled_at"},
)

MESSAGES_TABLE = Table(
    "messages",
    "uuid TEXT PRIMARY KEY, thread TEXT REFERENCES threads ON DELETE CASCADE, prompt TEXT, response TEXT, score"
    " INTEGER, feedback TEXT, created_at TEXT",
    derived=TIMES,
)

routes = Routes()

_THREADS = f"{agents.AGENTS}/{{agent}}/threads"
_THREAD = f"{_THREADS}/{{thread}}"
_PROMPT = Object(prompt=Maybe(TEXT))


@routes.get(_THREADS)
def list_threads(call: Call) -> object:
    """The caller's threads with an agent, or everybody's for an admin who asks."""
    checks = Checks(call.query)
    everybody = checks.flag("allUsers")
    checks.done()
    agent = agents.by_uuid(call)["uuid"]
    if everybody and call.user["role"] != "admin":
        raise forbidden()
    rows = call.store.all("SELECT * FROM threads WHERE agent = ? ORDER BY rowid DESC", agent)
    return [thread_json(call, row) for row in rows if everybody or row["user"] == call.user["uuid"]]


@routes.post(_THREADS)
def create_thread(call: Call) -> object:
    """A new thread, with a first prompt if one is sent; the answer to it must be asked for."""
    body = contracts.read(call.body, _PROMPT)
    agent = agents.by_uuid(call)["uuid"]
    return thread_json(call, add_thread(call, agent, body.get("prompt"), "web_app"))


@routes.get(_THREAD)
def get_thread(call: Call) -> object:
    """One thread with its messages."""
    row = _own(call)
    messages = [one for message in messages_of(call.store, row["uuid"]) for one in _spoken(call, row, message)]
    return thread_json(call, row) | {"messages": messages, "compactions": []}


@routes.delete(_THREAD)
def delete_thread(call: Call) -> object:
    """Remove a thread, for good."""
    call.store.run("DELETE FROM threads WHERE uuid = ?", _own(call)["uuid"])
    return DONE


@routes.post(f"{_THREAD}/messages")
def add_message(call: Call) -> object:
    """One more prompt; the answer must be asked for."""
    body = contracts.read(call.body, Object(prompt=TEXT))
    row = _own(call)
    add_prompt(call.store, row["uuid"], body["prompt"])
    return _spoken(call, row, messages_of(call.store, row["uuid"])[-1])[0]


@routes.post(f"{_THREAD}/generate")
def generate(call: Call) -> object:
    """The answer to the last prompt, which becomes part of the thread."""
    row = _own(call)
    messages = messages_of(call.store, row["uuid"])
    if not messages:
        raise missing("Prompt not found")
    last = messages[-1]
    response = answer_to(agents.shown(call, agents.by_uuid(call)), last["prompt"])
    call.store.update("messages", last["uuid"], response=response)
    return {"response": response}


@routes.post(f"{_THREAD}/generate-title")
def generate_title(call: Call) -> object:
    """A title from the first prompt."""
    row = _own(call)
    messages = messages_of(call.store, row["uuid"])
    title = " ".join(messages[0]["prompt"].split()[:6]) if messages else "Empty thread"
    call.store.update("threads", row["uuid"], title=title, titled_at=call.store.now())
    return {"title": title}


@routes.patch(f"{_THREAD}/messages/{{message}}/feedback")
def give_feedback(call: Call) -> object:
    """Say how good an answer was: 1, 0 or -1."""
    body = contracts.read(call.body, Object(humanScore=NUMBER, humanFeedback=Maybe(TEXT)))
    row = _own(call)
    uuid = call.uuid("message")
    if uuid not in {message["uuid"] for message in messages_of(call.store, row["uuid"])}:
        raise missing("Prompt not found")
    call.store.update("messages", uuid, score=body["humanScore"], feedback=body.get("humanFeedback"))
    return DONE


def answer_to(agent: dict[str, object], prompt: str) -> str:
    """The same answer to the same prompt, so that tests can tell that the prompt arrived."""
    words = prompt.split()
    return f"{agent['name']} read {len(words)} words and says: {prompt.strip()} — the till says yes."


def add_thread(call: Call, agent: str, prompt: str | None, origin: str) -> Row:
    """Store a new thread of the caller's."""
    uuid = call.store.new_uuid()
    made = {"origin": origin, "created_at": call.store.now()}
    call.store.insert("threads", uuid=uuid, agent=agent, user=call.user["uuid"], **made)
    if prompt is not None:
        add_prompt(call.store, uuid, prompt)
    return call.store.all("SELECT * FROM threads WHERE uuid = ?", uuid)[0]


def add_prompt(store: Store, thread: str, prompt: str) -> str:
    """Store one more prompt; its UUID."""
    uuid = store.new_uuid()
    store.insert("messages", uuid=uuid, thread=thread, prompt=storable(prompt), created_at=store.now())
    return uuid


def messages_of(store: Store, thread: str) -> list[Row]:
    """The prompts of a thread with their answers, in their order."""
    return store.all("SELECT * FROM messages WHERE thread = ? ORDER BY rowid", thread)


def person(call: Call, uuid: str) -> dict[str, object]:
    """Somebody by name."""
    row = call.store.one("SELECT first_name, last_name FROM users WHERE uuid = ?", uuid)
    return {"uuid": uuid, "name": f"{row['first_name']} {row['last_name']}" if row else ""}


def thread_json(call: Call, row: Row) -> dict[str, Any]:
    """A thread by its first prompt."""
    messages = messages_of(call.store, row["uuid"])
    first = {"uuid": messages[0]["uuid"], "message": messages[0]["prompt"]} if messages else {"uuid": "", "message": ""}
    return {
        "uuid": row["uuid"],
        "agentUuid": row["agent"],
        "createdAt": row["created_at"],
        "createdFrom": row["origin"],
        "title": row["title"],
        "titleGeneratedAt": row["titled_at"],
        "firstMessage": first,
        "user": person(call, row["user"]),
    }


def _own(call: Call) -> Row:
    agent = agents.by_uuid(call)["uuid"]
    row = call.store.one("SELECT * FROM threads WHERE uuid = ? AND agent = ?", call.uuid("thread"), agent)
    if row is None:
        raise missing(f"Thread not found: {call.params['thread']}")
    if row["user"] != call.user["uuid"] and call.user["role"] != "admin":
        raise forbidden("Insufficient permissions to access this thread")
    return row


def _spoken(call: Call, thread: Row, message: Row) -> list[dict[str, object]]:
    """A prompt, and the answer to it if there is one."""
    head = {"uuid": message["uuid"], "threadUuid": thread["uuid"], "createdAt": message["created_at"]}
    asked: dict[str, object] = {
        "role": "user",
        **head,
        "message": message["prompt"],
        "user": person(call, thread["user"]),
    }
    asked |= {"context": [], "steers": [], "hidden": False}
    if message["response"] is None:
        return [asked]
    said = {"role": "assistant", **head, "status": "idle", "message": message["response"], "errorMessage": None}
    marks = {"humanScore": message["score"], "humanFeedback": message["feedback"], "savedQueryUuid": None}
    nothing: dict[str, object] = {
        "toolCalls": [],
        "toolResults": [],
        "reasoning": [],
        "artifacts": [],
        "referencedArtifacts": None,
    }
    nothing |= {"interrupted": False, "modelConfig": None, "tokenUsage": None}
    return [asked, {**said, **marks, **nothing}]
