"""What can be said of a contact to make or change it: what is left out stays, what is empty is cleared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from aboveboard.errors import BadInput, explain_unknown

NAME = ("family", "given", "additional", "prefix", "suffix")
ADDRESS = ("po_box", "extended", "street", "city", "region", "postal_code", "country")


def _listed(given: object) -> object:
    """Take one text for a list of it, and an empty one for an empty list."""
    return ([given] if given else []) if isinstance(given, str) else given


def _mapped(given: object) -> object:
    """Take texts, and entries as they are shown, for values without types or with theirs."""
    many = _listed(given)
    if not isinstance(many, list):
        return many
    found: dict[object, object] = {}
    for one in cast("list[Any]", many):
        shown = cast("dict[str, Any]", one) if isinstance(one, dict) else {"value": one}
        types = shown.get("types") or ""
        found[shown.get("value")] = types if isinstance(types, str) else ",".join(map(str, types))
    return found


def _texts_of(given: object) -> object:
    """Take an address as it is shown: without its label, its types in one text."""
    if not isinstance(given, list):
        return given
    return [_joined(cast("dict[str, Any]", one)) if isinstance(one, dict) else one for one in cast("list[Any]", given)]


def _joined(address: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: ",".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else value
        for key, value in address.items()
        if key != "label" and value is not None
    }


def _texts(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "additionalProperties": False}


# Published as contacts are shown; values by type, as {"a@b.org": "work"}, are taken too.
Texts = Annotated[list[str], BeforeValidator(_listed)]
Parts = Annotated[dict[str, str], WithJsonSchema(_texts(*NAME))]
Entries = Annotated[
    dict[str, str],
    BeforeValidator(_mapped),
    WithJsonSchema({"type": "array", "items": {**_texts("value", "types"), "required": ["value"]}}),
]
Addresses = Annotated[
    list[dict[str, str]],
    BeforeValidator(_texts_of),
    WithJsonSchema({"type": "array", "items": _texts(*ADDRESS, "types")}),
]


class ContactData(BaseModel):
    """The fields of a contact."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fn: str | None = Field(default=None, description="Name as shown.", min_length=1)
    n: Parts | None = Field(default=None, description="The name in its parts.")
    nickname: Texts | None = None
    email: Entries | None = Field(default=None, description="Each with types such as work,pref.")
    tel: Entries | None = Field(default=None, description="Types such as cell, fax.")
    adr: Addresses | None = None
    org: Texts | None = Field(default=None, description="Company, units.")
    title: str | None = None
    role: str | None = None
    bday: str | None = Field(default=None, description="1985-04-12 or --04-12.")
    note: str | None = None
    url: Entries | None = None
    categories: Texts | None = None
    photo: str | None = Field(default=None, description="Base64 or https address.")


@dataclass(frozen=True)
class Given:
    """One of several: an e-mail address, a number or a link has one text, an address has seven."""

    texts: Sequence[str]
    types: Sequence[str] | None
    """What it is marked with; None: as it is."""


def entries(given: Mapping[str, str]) -> list[Given]:
    """Read values and their types."""
    if "" in given:
        raise BadInput("An entry is empty.", next_step="Leave it out: the list that is given is the whole new one.")
    return [Given([value], _types(types)) for value, types in given.items()]


def addresses(given: Sequence[Mapping[str, str]]) -> list[Given]:
    """Read addresses."""
    for one in given:
        check_names(one, (*ADDRESS, "types"), "An address")
    return [Given([one.get(field, "") for field in ADDRESS], _types(one.get("types", ""))) for one in given]


def check_names(given: Mapping[str, str], known: Sequence[str], of: str) -> None:
    """Refuse what has another name."""
    for name in given:
        if name not in known:
            raise BadInput(explain_unknown("part", name, known, of=of))


def _types(text: str) -> list[str] | None:
    return text.replace(",", " ").split() or None
