"""Hints in TypeScript and JavaScript, set where a tool is declared: `registerTool`, `tool` or an object with a name."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from aboveboard.audit.evidence import HINTS
from aboveboard.audit.source_patch.edits import Edit, NotPlain, Placed, gap_before, line_of
from aboveboard.errors import BadInput

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

TYPED: Final = frozenset({".ts", ".mts", ".cts"})
OF_A_TOOL: Final = frozenset({"inputSchema", "parameters", "schema", "handler", "execute"})
"""What an object with a name must have beside it to be a tool: prompts and people have names too."""
PLAIN: Final = frozenset({"true", "false", "string", "template_string"})


def declared(text: bytes, wanted: Mapping[str, Mapping[str, bool]], suffix: str) -> Iterator[Placed]:
    """Find the tools that are declared in a file and wanted, and how their hints would be set there."""
    root = _parser(typed=suffix in TYPED).parse(text).root_node
    for node in _all(root):
        tool = _name_of(node)
        if tool in wanted:
            yield _placed(text, tool, node, wanted[tool])


@cache
def _parser(*, typed: bool) -> "Parser":
    try:
        import tree_sitter_typescript as grammar
        from tree_sitter import Language, Parser
    except ImportError:
        advice = "Install it with: pip install 'aboveboard[source]'."
        raise BadInput("To patch TypeScript, tree-sitter is needed.", next_step=advice) from None
    return Parser(Language(grammar.language_typescript() if typed else grammar.language_tsx()))


def _all(node: "Node") -> Iterator["Node"]:
    """Go through a tree in the order of the text; no recursion, since a bundle may be very deep."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.children)


def _name_of(node: "Node") -> str:
    """Return the name of the tool that a node declares; empty where it declares none."""
    if node.type == "call_expression" and _method(node) in ("registerTool", "tool"):
        arguments = _arguments(node)
        return _string(arguments[0]) if len(arguments) > 1 else ""
    if node.type == "object":
        pairs = _pairs(node)
        if "name" in pairs and not OF_A_TOOL.isdisjoint(pairs):
            return _string(pairs["name"])
    return ""


def _method(call: "Node") -> str:
    function = call.child_by_field_name("function")
    last = function.child_by_field_name("property") if function else None
    return _text(last) if last else ""


def _arguments(call: "Node") -> "list[Node]":
    found = call.child_by_field_name("arguments")
    return [one for one in found.named_children if one.type != "comment"] if found else []


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _string(node: "Node") -> str:
    """Return what a plain string says; empty for everything else, such as one with a value inside."""
    parts = node.named_children
    if node.type in ("string", "template_string") and [one.type for one in parts] == ["string_fragment"]:
        return _text(parts[0])
    return ""


def _pairs(node: "Node") -> "dict[str, Node]":
    """Return the values of an object by their keys."""
    found: dict[str, Node] = {}
    for one in node.named_children:
        key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
        name = one.child_by_field_name("name")
        if one.type == "pair" and key and value:
            found[_string(key) or _text(key).strip("[]\"'` ")] = value if key.type != "computed_property_name" else one
        elif one.type == "shorthand_property_identifier":
            found[_text(one)] = one
        elif name:
            found[_text(name)] = one  # a method, or a getter
    return found


def _spread_behind(node: "Node", at: "Node | None" = None) -> bool:
    """Tell whether an object takes over others' values behind one of its own, where they may replace it."""
    start = at.start_byte if at else -1
    return any(one.type == "spread_element" and one.start_byte > start for one in node.named_children)


def _placed(text: bytes, tool: str, node: "Node", hints: Mapping[str, bool]) -> Placed:
    line = line_of(text, node.start_byte)
    if node.has_error:
        return Placed(tool, line, {}, why_not="it cannot be read: something is wrong with its syntax")
    try:
        at, stated = _hints_of(node)
        edits = _added(text, node, hints) if at is None else list(_changed(at, hints))
    except NotPlain as why:
        return Placed(tool, line, {}, why_not=str(why))
    return Placed(tool, line, stated, tuple(edits))


def _hints_of(node: "Node") -> "tuple[Node | None, dict[str, bool]]":
    """Find the object with a declaration's hints, and what it says."""
    found = _positional(_arguments(node)) if _is_short(node) else _pairs(_options(node)).get("annotations")
    if not _is_short(node) and _spread_behind(_options(node), found):
        raise NotPlain(f"what describes it is written elsewhere: {_text(_options(node))}")
    if found is None:
        return None, {}
    while found.type in ("as_expression", "satisfies_expression", "parenthesized_expression") and found.named_children:
        found = found.named_children[0]
    if found.type != "object":
        raise NotPlain(f"its hints are written elsewhere: annotations: {_text(found)}")
    return found, {key: one.type == "true" for key, one in _pairs(found).items() if one.type in ("true", "false")}


def _is_short(node: "Node") -> bool:
    """Tell whether this is `tool(name, ..., handler)`, where the hints are an argument by themselves."""
    return node.type == "call_expression" and _method(node) == "tool"


def _options(node: "Node") -> "Node":
    """Return the object that describes a tool."""
    found = _arguments(node)[1] if node.type == "call_expression" else node
    if found.type != "object":
        raise NotPlain(f"what describes it is written elsewhere: {_text(found)}")
    return found


def _positional(arguments: "Sequence[Node]") -> "Node | None":
    """Return the argument that is hints, an object of nothing else; one that may be hints is in the way."""
    between = arguments[1:-1]
    given = between[1:] if between and between[0].type in ("string", "template_string") else between
    for one in given:
        pairs = _pairs(one) if one.type == "object" else {}
        if pairs and pairs.keys() <= {*HINTS, "title"} and all(value.type in PLAIN for value in pairs.values()):
            return one
    if any(one.type != "object" for one in given) or len(given) > 1:
        raise NotPlain("which of its arguments are hints cannot be told: " + ", ".join(map(_text, given)))
    return None


def _added(text: bytes, node: "Node", hints: Mapping[str, bool]) -> list[Edit]:
    """State hints where none are."""
    written = "{ " + ", ".join(_pair(hint, value) for hint, value in hints.items()) + " }"
    if _is_short(node):
        handler = _arguments(node)[-1]
        return [Edit(handler.start_byte, handler.start_byte, f"{written}, ")]
    options = _options(node)
    members = [one for one in options.named_children if one.type != "comment"]
    if not members:
        return [Edit(options.start_byte + 1, options.start_byte + 1, f" annotations: {written} ")]
    at, gap = members[-1].end_byte, gap_before(text, members[-1].start_byte)
    return [Edit(at, at, f",{gap}annotations: {written}")]


def _changed(found: "Node", hints: Mapping[str, bool]) -> Iterator[Edit]:
    pairs = _pairs(found)
    new: list[str] = []
    for hint, value in hints.items():
        old = pairs.get(hint)
        if old is None:
            new.append(_pair(hint, value))
        elif old.type not in ("true", "false"):
            raise NotPlain(f"{hint} is not written out: {_text(old)}")
        elif (old.type == "true") is not value and _spread_behind(found, old):
            raise NotPlain(f"its hints are written elsewhere: annotations: {_text(found)}")
        elif (old.type == "true") is not value:
            yield Edit(old.start_byte, old.end_byte, str(value).lower())
    if new:
        members = [one for one in found.named_children if one.type != "comment"]
        at = members[-1].end_byte if members else found.start_byte + 1
        yield Edit(at, at, f", {', '.join(new)}" if members else f" {', '.join(new)} ")


def _pair(hint: str, value: bool) -> str:  # noqa: FBT001 (a hint and its value)
    return f"{hint}: {str(value).lower()}"
