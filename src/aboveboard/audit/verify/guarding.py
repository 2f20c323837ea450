"""Calls that a server must refuse: by the schema that it publishes, or by what its descriptions say.

What the schema rules out is certain, and any words will do. What a description says (`only if force says so`, `a paid
one cannot be voided`) needs a person: something that the tool must refuse, and the words that the refusal owes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, words
from aboveboard.audit.verify.inventing import NAMES, real_schema
from aboveboard.audit.verify.records import Records, creates
from aboveboard.audit.verify.tables import TODO
from aboveboard.audit.verify.values import names_in

_SENTENCE: Final = re.compile(r"[^.\n]+(?:\.(?=\w)[^.\n]*)*")
_REFUSES: Final = re.compile(
    r"\b(?:refus(?:es|ed)|rejects?|rejected|fails? (?:if|when|where|unless)|is an error|not (?:allowed|permitted))\b"
    r"|\b(?:it|they|\w+s?) must (?:not )?(?:be|have)\b|\bonly (?:an? )?\w+ (?:can|may) be\b",
    re.IGNORECASE,
)
_CANNOT: Final = re.compile(r"\b(?:cannot|can't|can not|must not|may not)(?: be)? (\w+)", re.IGNORECASE)
_CONDITION: Final = re.compile(r"\b(?:only (?:if|with|when|where)|unless|without|requires?|needs?)\b", re.IGNORECASE)
_TAKEN: Final = re.compile(r"\balready\b|\bexists\b|\btaken\b|\bduplicates?\b|\bunique\b", re.IGNORECASE)
ALLOWS: Final = {"confirm", "confirmed", "force"}
AGAINST: Final = ", against the schema"
STEM: Final = 4
"""So many letters tell that two forms are of one verb: void, voided."""


@dataclass(frozen=True)
class Refusal:
    """A call that must be refused."""

    name: str
    arguments: Mapping[str, Any]
    words: Any = True
    """What the answer owes: true for any words, or what a person has to say."""


def schema_refusals(tool: Tool, usual: Mapping[str, Any], records: Records) -> Iterator[Refusal]:
    """Go through calls that the tool's own schema does not allow; a reading that puts up with more harms nobody."""
    if tool.name_reads:
        return
    root = tool.input_schema
    required = [one for one in cast("list[Any]", root.get("required") or []) if one in usual]
    if required:
        # What is left out at the greatest risk is what says which record is meant.
        which = [one for one in required if _chooses(tool, one, records)]
        left = (which or required)[0]
        yield Refusal(f"without {left}{AGAINST}", {name: value for name, value in usual.items() if name != left})
    for name, schema in tool.parameters.items():
        node = real_schema(schema, root)
        if node.get("type", "string") == "string" and isinstance(node.get("enum"), list) and _takes_no_other(schema):
            yield Refusal(f"{name} of none of its values{AGAINST}", {**usual, name: f"no-such-{name}"})
        elif node.get("type") == "string" and node.get("minLength", 0) > 0 and _takes_no_other(schema):
            yield Refusal(f"{name} empty{AGAINST}", {**usual, name: ""})


def _chooses(tool: Tool, name: str, records: Records) -> bool:
    node = real_schema(tool.parameters[name], tool.input_schema)
    return node.get("type") == "array" or records.names_one(tool, name, node)


def _takes_no_other(schema: Schema) -> bool:
    """Tell whether a parameter has one schema: of several, another may allow what the first does not."""
    return not any(len(cast("list[Any]", schema.get(key) or [])) > 1 for key in ("anyOf", "oneOf"))


def allowing(tool: Tool) -> dict[str, bool]:
    """Return the flags without which a tool may do nothing, set: so it is called where it is only a step."""
    said = [sentence for sentence in _SENTENCE.findall(tool.description) if _CONDITION.search(sentence)]
    known = {word for sentence in said for word in words(sentence)} | ALLOWS
    return {name: True for name in _flags(tool) if set(words(name)) <= known}


def _flags(tool: Tool) -> list[str]:
    root = tool.input_schema
    return [name for name, schema in tool.parameters.items() if real_schema(schema, root).get("type") == "boolean"]


def promised_refusal(tool: Tool, usual: Mapping[str, Any], records: Records) -> tuple[Refusal, str] | None:
    """Return the call that a tool says it refuses, as far as a draft can write it, and the sentence that says so."""
    for sentence in _SENTENCE.findall(tool.description):
        named = [flag for flag in _flags(tool) if _CONDITION.search(sentence) and {*words(flag)} <= {*words(sentence)}]
        refused = _subject(tool, usual, sentence, records) if named or _refuses(tool, sentence) else None
        if refused is not None:
            arguments = {**usual, **refused, **dict.fromkeys(named, False)}
            return Refusal("what it must refuse", arguments, TODO), " ".join(sentence.split())
    return None


def _refuses(tool: Tool, sentence: str) -> bool:
    """Tell whether a sentence speaks of a refusal by this tool: a sent invoice that cannot be changed can be sent."""
    own = {word[:STEM] for word in words(tool.name)}
    cannot = any(match[1].lower()[:STEM] in own for match in _CANNOT.finditer(sentence))
    return cannot or _REFUSES.search(sentence) is not None


def _subject(tool: Tool, usual: Mapping[str, Any], sentence: str, records: Records) -> dict[str, Any] | None:
    """Choose the argument that makes the difference: a name that is taken, the record, or what the sentence names."""
    given = {name: real_schema(tool.parameters[name], tool.input_schema) for name in usual}
    taken = [name for name, node in given.items() if records.names_one(tool, name, node)]
    if _TAKEN.search(sentence):
        for name in [name for name in taken if records.makes(tool, name, given[name])]:
            return {name: records.existing(tool, name, given[name])}
        for name in [name for name in given if creates(tool) and NAMES.intersection(words(name)[-1:])]:
            return {name: records.text(tool, name)}
    said = {*words(sentence)}
    spoken = [name for name, node in given.items() if node.get("type") == "string" and {*words(name)} <= said]
    known = [name for name, value in usual.items() if [*names_in(value)]]
    for name in [*taken, *spoken, *known][:1]:
        return {name: records.refused(tool)}
    return None
