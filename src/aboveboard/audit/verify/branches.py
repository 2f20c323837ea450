"""The arguments that choose what a tool does: an action to take, or a flag that makes it do more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, resolved, words

SELECTORS: Final = {"action", "operation", "op", "command", "method", "verb"}
FLAGS: Final = {
    "delete", "remove", "purge", "overwrite", "replace", "force", "destroy", "erase", "clear", "drop", "wipe", "reset",
    "permanent", "permanently", "recursive", "cascade", "truncate", "prune", "send", "notify", "publish",
}  # fmt: skip


def branches(tool: Tool) -> Iterator[tuple[str, Any]]:
    """Go through the values that select an action, with the parameter that takes them."""
    if tool.name_reads and not tool.name_writes:
        return  # list_events(action="delete") filters by it
    for name, schema in tool.parameters.items():
        node = _plain(tool.input_schema, schema)
        parts = words(name)
        if not SELECTORS.isdisjoint(parts[-1:]):
            yield from ((name, value) for value in _values(node))
        elif node.get("type") == "boolean" and not FLAGS.isdisjoint(parts):
            yield name, True


def untried(tool: Tool, tried: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the branches that no call took; a default is taken by leaving the parameter out."""
    left: list[str] = []
    for name, value in branches(tool):
        default = _plain(tool.input_schema, tool.parameters[name]).get("default")
        if not any(arguments.get(name, default) == value for arguments in tried):
            left.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    return left


def _plain(root: Schema, schema: Schema) -> Schema:
    """Follow a reference, and see through "this or null"."""
    node = resolved(root, schema)
    arms = [cast("Schema", one) for one in cast("list[Any]", node.get("anyOf") or []) if isinstance(one, Mapping)]
    real = [resolved(root, one) for one in arms if one.get("type") != "null"]
    return {**real[0], **{key: node[key] for key in ("default",) if key in node}} if len(real) == 1 else node


def _values(node: Schema) -> list[Any]:
    values = node.get("enum")
    if isinstance(values, list):
        return [one for one in cast("list[Any]", values) if one is not None]
    return [node["const"]] if "const" in node else []
