"""The records that a drafted plan speaks of: made by a tool where one seems to make them, else named by a person, once.

`note_id` of `get_note` is kept from the answer of `create_note`; where no tool creates notes, it is a value of the plan
that says TODO, which all cases share.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, singular, words
from aboveboard.audit.verify.inventing import IDS, value_for
from aboveboard.audit.verify.tables import TODO

CREATES: Final = {"create", "add", "new", "insert", "register", "upsert"}
_OF: Final = re.compile(r"\b(?:id|uuid|slug|key) of (?:the|a|an|each|one) (\w+)", re.IGNORECASE)


class Records:
    """What a plan needs to know of, collected while its cases are written."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools
        self.values: dict[str, Any] = {}
        """What a person has to fill in, by its name in the plan."""
        self.arrangements: dict[str, list[dict[str, Any]]] = {}
        """Steps that make records, by their name in the plan."""
        self._made: dict[str, str] = {}
        """The arrangement that keeps each value."""

    def names_one(self, tool: Tool, name: str, node: Schema) -> bool:
        """Tell whether a parameter names a record: by an id, or by the very word that the tool's name has for it."""
        parts = _parts(name)
        if not parts or node.get("type") not in ("string", "integer", None) or "enum" in node:
            return False
        return parts[-1] in IDS or bool(_OF.search(str(node.get("description") or "")))

    def makes(self, tool: Tool, name: str) -> bool:
        """Tell whether the tool itself makes what a parameter names, so that a new name is the usual one."""
        said = {singular(word) for word in words(tool.name)}
        return not CREATES.isdisjoint(said) and len(words(name)) == 1

    def existing(self, tool: Tool, name: str, node: Schema, *, other: bool = False) -> str:
        """Return the name of a record that is there, or of a second one."""
        thing = _thing(tool, name, node)
        known = f"{'another_' if other else ''}{'_'.join(thing)}_id"
        maker = self._maker(thing)
        if maker is None:
            self.values.setdefault(known, TODO)
        elif known not in self._made:
            what = f"{'another' if other else 'a'} {' '.join(thing)}"
            self._made[known] = what
            self.arrangements[what] = [self._step(maker, name, known, other=other)]
        return f"${{{known}}}"

    def missing(self, tool: Tool, name: str, node: Schema) -> Any:
        """Return an id that no record has."""
        if node.get("type") == "integer":
            return min(999_999_999, node.get("maximum", 999_999_999))
        if node.get("format") == "uuid" or "uuid" in words(name):
            return "00000000-0000-4000-8000-00000000dead"
        return f"no-such-{'-'.join(_thing(tool, name, node))}"

    def text(self, tool: Tool, name: str) -> str:
        """Return the name of a text that is to be found in the first state."""
        thing = "_".join(words(name))
        known = f"known_{thing}"
        self.values.setdefault(known, TODO)
        return f"${{{known}}}"

    def needed(self, arguments: Any) -> list[str]:
        """Return the arrangements that arguments rely on, in the order in which they are made."""
        wanted = {what for known, what in self._made.items() if f"${{{known}}}" in str(arguments)}
        for what in list(wanted):
            wanted.update(self.needed([step["arguments"] for step in self.arrangements[what]]) if wanted else ())
        return [what for what in self.arrangements if what in wanted]

    def arranged(self, arguments: Any) -> list[Any]:
        """Return the arguments of all steps that arguments rely on."""
        return [step["arguments"] for what in self.needed(arguments) for step in self.arrangements[what]]

    def _maker(self, thing: Sequence[str]) -> Tool | None:
        """Find the tool that creates something: a note is made by `create_note`."""
        for one in self._tools:
            said = [singular(word) for word in words(one.name)]
            if not CREATES.isdisjoint(said) and said[-len(thing) :] == list(thing):
                return one
        return None

    def _step(self, maker: Tool, name: str, known: str, *, other: bool) -> dict[str, Any]:
        required = cast("list[Any]", maker.input_schema.get("required") or [])
        given: dict[str, Any] = {}
        for key, schema in maker.parameters.items():
            if key not in required:
                continue
            if self.names_one(maker, key, schema):
                own = self.makes(maker, key)
                given[key] = f"made-{known}" if own else self.existing(maker, key, schema)
            else:
                given[key] = value_for(key, schema, maker.input_schema, other=other)
        return {"call": maker.name, "arguments": given, "keep": {known: _kept_path(name, maker)}}


def _thing(tool: Tool, name: str, node: Schema) -> list[str]:
    """Return what a parameter names: by its own words, by its description, or by the tool's name."""
    parts = _parts(name)
    rest = parts[:-1] if parts and parts[-1] in IDS else parts
    if rest:
        return rest
    said = _OF.search(str(node.get("description") or ""))
    return [singular(said[1].lower())] if said else [singular(word) for word in words(tool.name) if word.isalpha()][-1:]


def _parts(name: str) -> list[str]:
    """Return the words of a name, each for one thing: `ids` is too short to be known for a plural otherwise."""
    return [word[:-1] if word[:-1] in IDS and word.endswith("s") else singular(word) for word in words(name)]


def _kept_path(name: str, maker: Tool) -> str:
    """Guess where a creating tool's answer has the id."""
    outputs = cast("Mapping[str, Any]", (maker.output_schema or {}).get("properties") or {})
    short = _parts(name)[-1]
    return next((key for key in (name, short, "id", "uuid") if key in outputs), TODO)
