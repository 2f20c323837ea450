"""A first plan, from the definitions alone: what a person has to complete is marked TODO.

Arguments come from examples, defaults, enums, formats and types, in this order; a tool with a selecting value gets a
case for each. A parameter that looks like an id is filled from a tool that looks as if it creates such a thing; what
is then written over it differs from what was there, as a write of equal values would show nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import anyio
import yaml

from aboveboard.audit.evidence import Schema, Server, Tool, singular, words
from aboveboard.audit.verify.branches import branches
from aboveboard.audit.verify.inventing import IDS, another, value_for
from aboveboard.audit.verify.plan import Plan
from aboveboard.audit.verify.processes import Guardian
from aboveboard.audit.verify.setup import ConnectOptions
from aboveboard.audit.verify.tables import TODO
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.errors import BadInput

CREATES: Final = {"create", "add", "new", "insert", "register", "upsert"}
_HEAD: Final = """\
# A first plan, drafted from the definitions of {count} tools of {name}. Complete what says TODO; then
#   aboveboard verify --plan {file}
# Every tool below will be called for real: use a backend whose data may be lost.

server:
{server}
backend:
  # command: [TODO, --port, "${{port}}"]   # starts a backend for the run; left out, the one at url is used
  # url: http://127.0.0.1:${{port}}        # where it answers; in server.env, say ${{upstream}} instead
  # reset: POST /TODO                     # or {{command: [...]}}: brings back the first state
  # state: GET /TODO                      # or {{command: [...]}} that prints JSON, or {{read: [GET /things]}},
                                          # or {{tools: [{{call: list_things}}]}}, which is the weakest
  # record: proxy                         # without a url: record whom it asks (npx and uvx can then fetch nothing)
# bookkeeping: ["**/updated_at"]          # counters, modification times and logs that do not count

tools:
"""


def read_server(plan: Plan, options: ConnectOptions) -> Server:
    """Read the definitions; no tool is called."""

    async def read() -> Server:
        guardian = Guardian()
        try:
            async with Workbench(plan, guardian, options) as bench:
                return await (await bench.talk()).survey()
        finally:
            guardian.close()

    if not plan.server.command and not plan.server.url:
        raise BadInput("There is no server to read.", next_step="Give a TARGET, or a command after two dashes.")
    return anyio.run(read)


def draft(server: Server, plan: Plan, file: str = "plan.yaml") -> str:
    """Write the plan."""
    launch: dict[str, Any] = {"command": list(plan.server.command)} if plan.server.command else {"url": plan.server.url}
    head = _HEAD.format(count=len(server.tools), name=server.name, file=file, server=_indented(launch, 2))
    return head + "".join(_tool(tool, server.tools) for tool in server.tools)


def _tool(tool: Tool, tools: Sequence[Tool]) -> str:
    cases = [_case(tool, tools, branch) for branch in _branches(tool)]
    text = _indented({tool.name: cases}, 2)
    return f"{text}  # TODO above: an answer's path, or a value that exists\n" if TODO in text else text


def _branches(tool: Tool) -> list[Mapping[str, Any]]:
    chosen: list[Mapping[str, Any]] = [{name: value} for name, value in branches(tool)]
    flags = all(isinstance(value, bool) for one in chosen for value in one.values())
    return [{}, *chosen] if flags else chosen


def _case(tool: Tool, tools: Sequence[Tool], branch: Mapping[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    for name, schema in tool.parameters.items():
        if name in branch:
            arguments[name] = branch[name]
        elif name in _required(tool):
            arguments[name] = _argument(tool, name, schema, tools, steps)
    arranged = [step["arguments"] for step in steps]
    for name in arguments.keys() - branch.keys():
        arguments[name] = another(arguments[name], arranged, name, tool.parameters[name], tool.input_schema)
    case: dict[str, Any] = (
        {"name": ", ".join(f"{key}={_shown(value)}" for key, value in branch.items())} if branch else {}
    )
    return {**case, **({"arrange": steps} if steps else {}), "arguments": arguments}


def _argument(tool: Tool, name: str, schema: Schema, tools: Sequence[Tool], steps: list[dict[str, Any]]) -> Any:
    """Choose a value; for the id of something, a step that creates one where a tool seems to."""
    maker = _maker(name, tool, tools)
    if maker is None:
        return value_for(name, schema, tool.input_schema)
    kept = "_".join(words(name))
    if not any(step["call"] == maker.name for step in steps):
        needed = {key: one for key, one in maker.parameters.items() if key in _required(maker)}
        given = {key: value_for(key, one, maker.input_schema) for key, one in needed.items()}
        steps.append({"call": maker.name, "arguments": given, "keep": {kept: _kept_path(name, maker)}})
    return f"${{{kept}}}"


def _maker(name: str, tool: Tool, tools: Sequence[Tool]) -> Tool | None:
    """Find the tool that creates what a parameter names: `note_id` is made by `create_note`."""
    parts = words(name)
    if len(parts) == 1 and parts[0] in IDS:
        thing = [singular(word) for word in words(tool.name)][-1:]
    elif parts and parts[-1] in IDS:
        thing = [singular(word) for word in parts[:-1]]
    else:
        return None
    for one in tools:
        said = [singular(word) for word in words(one.name)]
        if one is not tool and not CREATES.isdisjoint(said) and said[-len(thing) :] == thing:
            return one
    return None


def _kept_path(name: str, maker: Tool) -> str:
    """Guess where a creating tool's answer has the id."""
    outputs = cast("Mapping[str, Any]", (maker.output_schema or {}).get("properties") or {})
    short = words(name)[-1]
    return next((key for key in (name, short, "id", "uuid") if key in outputs), TODO)


def _required(tool: Tool) -> list[str]:
    found = tool.input_schema.get("required")
    return [one for one in cast("list[Any]", found) if isinstance(one, str)] if isinstance(found, list) else []


def _indented(value: Any, by: int) -> str:
    text = yaml.safe_dump(_plain(value), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def _plain(value: Any) -> Any:
    """Return plain dicts, and texts in which `${` of a schema's example means itself."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast("list[Any]", value)]
    return value


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
