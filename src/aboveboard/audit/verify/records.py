"""The records that a drafted plan speaks of: made by a tool where one seems to make them, else named by a person, once.

`note_id` of `get_note` is kept from the answer of `create_note`; where no tool creates notes, it is a value of the plan
that says TODO, which all cases share.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, singular, words
from aboveboard.audit.verify.inventing import IDS, NAMES, PROSE, real_schema, value_for
from aboveboard.audit.verify.tables import TODO
from aboveboard.audit.verify.values import names_in

CREATES: Final = {"create", "add", "new", "insert", "register", "upsert"}
LABELS: Final = {"number", "no", "code", "ref", "reference", "handle", "name", "path"}
"""What people call a record by, where its kind is said: `invoice_number`, but not `phone_number`."""
NEW: Final = {"new"}
SECOND: Final = {"target", "destination", "dest", "to", "into", "other", "second"}
FIRST: Final = {"old", "source", "src", "from", "first", "current", "parent"}
_OF: Final = re.compile(r"\b(?:id|uuid|slug|key|number) of (?:the|a|an|each|one) (\w+)", re.IGNORECASE)
_LISTED: Final = re.compile(r"\b(?:from|as|by|via|use|see) `?(?:list|search|find|get|query)_\w+", re.IGNORECASE)
"""What says where the ids come from: `from list_notes`."""


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
        self._makers = [(one, [singular(word) for word in words(one.name)]) for one in tools if _is_maker(one)]
        self._nouns = Counter(noun for tool in tools for noun in _noun(tool))
        shown = [one for one in tools if one.name_reads or creates(one)]
        self._things = {noun for tool in shown for noun in _noun(tool)} - NAMES - PROSE
        """What tools show or make."""

    def names_one(self, tool: Tool, name: str, node: Schema) -> bool:
        """Tell whether a parameter names a record: by an id, by its description, or by a word for what tools show."""
        parts = _parts(name)
        if not parts or node.get("type") not in ("string", "integer", None) or "enum" in node:
            return False
        said = str(node.get("description") or "")
        if parts[-1] in IDS or _OF.search(said) or _LISTED.search(said):
            return True
        return "format" not in node and self._things.issuperset(_kind(parts)[-1:] or [""])

    def makes(self, tool: Tool, name: str, node: Schema) -> bool:
        """Tell whether the tool itself makes what a parameter names, so that a new name is the usual one."""
        parts = _parts(name)
        if parts[0] in NEW:
            return True
        own = not {*SECOND, *FIRST}.intersection(parts)
        maker = any(one is tool for one, _ in self._makers)
        return own and maker and self._thing(tool, name, node)[-1:] == _noun(tool)

    def existing(self, tool: Tool, name: str, node: Schema, *, other: bool = False) -> str:
        """Return the name of a record that is there, or of a second one."""
        thing = self._thing(tool, name, node)
        other = other or _parts(name)[0] in NEW | SECOND
        known = f"{'another_' if other else ''}{'_'.join(thing)}_id"
        what = f"{'another' if other else 'an' if thing[0][0] in 'aeiou' else 'a'} {' '.join(thing)}"
        maker = self._maker(thing)
        if known in self._made and what not in self.arrangements:  # it takes one to make one: a person names the first
            known, maker = f"first_{known}", None
        if maker is None:
            self.values.setdefault(known, TODO)
        elif known not in self._made:
            self._made[known] = what
            self.arrangements[what] = [self._step(maker, name, known, other=other)]
        return f"${{{known}}}"

    def missing(self, tool: Tool, name: str, node: Schema) -> Any:
        """Return an id that no record has."""
        if node.get("type") == "integer":
            return min(999_999_999, node.get("maximum", 999_999_999))
        if node.get("format") == "uuid" or "uuid" in words(name):
            return "00000000-0000-4000-8000-00000000dead"
        return f"no-such-{'-'.join(self._thing(tool, name, node))}"

    def text(self, tool: Tool, name: str) -> str:
        """Return the name of a text that is to be found in the first state."""
        thing = "_".join(words(name))
        known = f"known_{thing}"
        self.values.setdefault(known, TODO)
        return f"${{{known}}}"

    def needed(self, arguments: Any) -> list[str]:
        """Return the arrangements that arguments rely on, in the order in which they are made."""
        wanted: set[str] = set()
        left = [arguments]
        while left:
            found = {self._made[name] for name in names_in(left.pop()) if name in self._made} - wanted
            wanted |= found
            left += [step["arguments"] for what in found for step in self.arrangements.get(what, ())]
        return [what for what in self.arrangements if what in wanted]

    def arranged(self, arguments: Any) -> list[Any]:
        """Return the arguments of all steps that arguments rely on."""
        return [step["arguments"] for what in self.needed(arguments) for step in self.arrangements[what]]

    def refused(self, tool: Tool) -> str:
        """Return the name of something that a tool must refuse, which only a person can know."""
        known = f"{'_'.join(words(tool.name))}_refuses"
        self.values.setdefault(known, TODO)
        return f"${{{known}}}"

    def _maker(self, thing: Sequence[str]) -> Tool | None:
        """Find the tool that creates something: a note is made by `create_note`."""
        return next((one for one, said in self._makers if said[-len(thing) :] == list(thing)), None)

    def _step(self, maker: Tool, name: str, known: str, *, other: bool) -> dict[str, Any]:
        """Write the call that makes a record: with what is required, and with texts that could be lost."""
        required = cast("list[Any]", maker.input_schema.get("required") or [])
        given: dict[str, Any] = {}
        for key, written in maker.parameters.items():
            schema = real_schema(written, maker.input_schema)
            if key not in required and not _is_prose(key, schema):
                continue
            if self.names_one(maker, key, schema):
                own = self.makes(maker, key, schema)
                given[key] = f"made-{known}" if own else self.existing(maker, key, schema)
            else:
                given[key] = value_for(key, schema, maker.input_schema, other=other)
        return {"call": maker.name, "arguments": given, "keep": {known: _kept_path(name, maker)}}

    def _thing(self, tool: Tool, name: str, node: Schema) -> list[str]:
        """Return what a parameter names: by its own words, by its description, or by the tool's name."""
        parts = _parts(name)
        if kind := _kind(parts):
            return kind
        said = _OF.search(str(node.get("description") or ""))
        if said:
            return [singular(said[1].lower())]
        if parts[-1] in self._nouns:  # `key` of a server that lists keys
            return parts[-1:]
        own = _noun(tool)
        alike = Counter(noun for one in self._tools if name in one.parameters for noun in _noun(one))
        return own if self._nouns[own[0]] > 1 else [max(alike, key=lambda noun: alike[noun], default=own[0])]


def creates(tool: Tool) -> bool:
    """Tell whether a tool's name says that it makes something."""
    return not CREATES.isdisjoint({singular(word) for word in words(tool.name)})


def _is_maker(tool: Tool) -> bool:
    """Tell whether a tool makes what its name is about: `add_track` with a `track_id` only puts one somewhere."""
    adds = CREATES.intersection(words(tool.name)) == {"add"}
    kinds = [_kind(_parts(name)) for name in tool.parameters if _parts(name)[-1:] != _noun(tool)]
    return creates(tool) and not (adds and _noun(tool) in kinds)


def _noun(tool: Tool) -> list[str]:
    """Return what a tool's name is about: its last word."""
    return [singular(word) for word in words(tool.name) if word.isalpha()][-1:] or ["record"]


def _kind(parts: Sequence[str]) -> list[str]:
    """Return the words for the kind of a record, without those that say which one it is."""
    kind = parts[:-1] if {*parts[-1:]} & (IDS | LABELS) else parts
    return [part for part in kind if part not in NEW | SECOND | FIRST]


def _is_prose(name: str, node: Schema) -> bool:
    plain = node.get("type") == "string" and not {"enum", "pattern", "format"}.intersection(node)
    return plain and not PROSE.isdisjoint(words(name)[-1:])


def _parts(name: str) -> list[str]:
    """Return the words of a name, each for one thing: `ids` is too short to be known for a plural otherwise."""
    return [word[:-1] if word[:-1] in IDS and word.endswith("s") else singular(word) for word in words(name)]


def _kept_path(name: str, maker: Tool) -> str:
    """Guess where a creating tool's answer has the id."""
    outputs = cast("Mapping[str, Any]", (maker.output_schema or {}).get("properties") or {})
    short = _parts(name)[-1]
    return next((key for key in (name, short, "id", "uuid") if key in outputs), TODO)
