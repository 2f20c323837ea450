"""One tool's definition as it stood on the wire, and what a client makes of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from aboveboard.audit import raw
from aboveboard.audit.schemas import Schema
from aboveboard.audit.words import Intent, intent, reading_verb, writing_verb

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
DEFAULTS: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
READS: Final = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
ADDS: Final = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
DELETES: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}


@dataclass(frozen=True)
class Tool:
    """One tool's definition, exactly as the server wrote it."""

    definition: Mapping[str, Any]
    server: str = ""

    @property
    def name(self) -> str:
        """The name; empty where there is none, or where it is no text."""
        return _text(self.definition.get("name"))

    @property
    def title(self) -> str:
        """The name for people: `title`, or else `annotations.title`."""
        return _text(self.definition.get("title")) or _text(self.annotations.get("title"))

    @property
    def description(self) -> str:
        """The description; empty where there is none."""
        return _text(self.definition.get("description"))

    @property
    def annotations(self) -> Mapping[str, Any]:
        """The annotations; empty where there are none, or where they are no object."""
        return _mapping(self.definition.get("annotations"))

    @property
    def hints(self) -> dict[str, Any]:
        """The hints that are written, whatever their value."""
        return {hint: self.annotations[hint] for hint in HINTS if hint in self.annotations}

    @property
    def repeated(self) -> dict[str, list[Any]]:
        """The hints, and the annotations themselves, that are written more than once."""
        again = {**raw.repeated(self.definition), **raw.repeated(self.annotations)}
        return {key: values for key, values in again.items() if key in (*HINTS, "annotations")}

    def declared(self, hint: str) -> bool | None:
        """Return a hint that is stated as JSON true or false; None for anything else."""
        value = self.annotations.get(hint)
        return value if isinstance(value, bool) else None

    def effective(self, hint: str) -> bool:
        """Return what a client must assume: what is declared, or the specification's default."""
        value = self.declared(hint)
        return DEFAULTS[hint] if value is None else value

    @property
    def input_schema(self) -> Schema:
        """The input schema; empty where there is none, or where it is no object."""
        return _mapping(self.definition.get("inputSchema"))

    @property
    def output_schema(self) -> Schema | None:
        """The output schema, if there is one."""
        schema = self.definition.get("outputSchema")
        return cast("Schema", schema) if isinstance(schema, Mapping) else None

    @property
    def parameters(self) -> dict[str, Schema]:
        """The parameters' schemas by name."""
        properties = _mapping(self.input_schema.get("properties"))
        return {name: _mapping(schema) for name, schema in properties.items()}

    @cached_property
    def intent(self) -> Intent:
        """What the name and the description say it does, where they leave no doubt."""
        return intent(self.name, self.description)

    @property
    def name_reads(self) -> bool:
        """Tell whether the name begins, after a prefix, with a word for reading."""
        return reading_verb(self.name)

    @property
    def name_writes(self) -> bool:
        """Tell whether the name says that something is written, and nothing of reading."""
        return writing_verb(self.name)

    @property
    def tokens(self) -> int:
        """About how many tokens a model pays for this definition: four bytes each."""
        shown = {key: self.definition[key] for key in ("name", "description", "inputSchema") if key in self.definition}
        return raw.size(shown) // 4

    @cached_property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """Every text in the definition, with its place as a JSON pointer; keys are texts too."""
        return tuple(_texts("", self.definition))


def example(
    name: str = "get_note",
    description: str | None = None,
    hints: Mapping[str, Any] | None = READS,
    **fields: Any,
) -> Tool:
    """Make a tool for a rule's example: complete and honest but for what is said otherwise; None leaves a field out."""
    plain = name.replace("_", " ").capitalize()
    definition: dict[str, Any] = {
        "name": name,
        "title": plain.title(),
        "description": f"{plain} by its id, as Markdown text." if description is None else description,
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string", "description": "The note's id, from list_notes."}},
            "required": ["id"],
        },
        "annotations": hints,
        **fields,
    }
    return Tool({key: value for key, value in definition.items() if value is not None})


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _texts(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            yield f"{place}/{key} (the key)", key
            yield from _texts(f"{place}/{key}", inner)
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from _texts(f"{place}/{index}", inner)
