"""The conditions of an addressbook-query, as sabre tries them on a card."""

from collections.abc import Callable, Iterable

from aboveboard.nextcloud.sandbox.contacts.vcards import Property, VCard
from aboveboard.nextcloud.sandbox.dav.dialect import bad_request, type_error
from aboveboard.nextcloud.sandbox.dav.xml import Element, clark

_MATCHES: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "starts-with": str.startswith,
    "ends-with": str.endswith,
    "equals": str.__eq__,
}
_COLLATIONS: dict[str, Callable[[str], str]] = {
    "i;unicode-casemap": str.upper,
    "i;ascii-casemap": lambda text: "".join(char.upper() if char.isascii() else char for char in text),
    "i;octet": str,
}


class _Text:
    """A text-match."""

    def __init__(self, element: Element) -> None:
        kind, collation = element.get("match-type", "contains"), element.get("collation", "i;unicode-casemap")
        if collation not in _COLLATIONS:
            raise bad_request(f"Collation type: {collation} is not supported")
        if kind not in _MATCHES:
            raise bad_request(f"Unknown match-type: {kind}")
        if not element.text:
            raise type_error()
        self._fold, self._match = _COLLATIONS[collation], _MATCHES[kind]
        self._part, self._negated = self._fold(element.text), element.get("negate-condition") == "yes"

    def holds(self, text: str) -> bool:
        return self._match(self._fold(text), self._part) != self._negated


class _Part:
    """A prop-filter or a param-filter: there at all, not there, or with texts that match."""

    def __init__(self, element: Element) -> None:
        self.group, _, self.name = element.get("name", "").upper().rpartition(".")
        self.missing = element.find(clark("card:is-not-defined")) is not None
        self.texts = [_Text(one) for one in element.iterfind(clark("card:text-match"))]
        self.params = [_Part(one) for one in element.iterfind(clark("card:param-filter"))]
        self._combine = all if element.get("test") == "allof" else any

    def holds(self, values: Iterable[tuple[Property | None, list[str]]]) -> bool:
        """Whether one of the things of this name is as asked for."""
        found = list(values)
        if self.missing or not found:
            return self.missing and not found
        conditions = [self._text(text, found) for text in self.texts] + [self._param(one, found) for one in self.params]
        return self._combine(conditions) if conditions else True

    @staticmethod
    def _text(text: _Text, found: list[tuple[Property | None, list[str]]]) -> bool:
        return any(text.holds(value) for _, values in found for value in values)

    @staticmethod
    def _param(part: "_Part", found: list[tuple[Property | None, list[str]]]) -> bool:
        return any(
            part.holds([(None, one.params[part.name])] if part.name in one.params else []) for one, _ in found if one
        )


class Filter:
    """What a card has to be like; without a filter, anything."""

    def __init__(self, element: Element | None) -> None:
        self._combine = all if element is not None and element.get("test") == "allof" else any
        found = element.iterfind(clark("card:prop-filter")) if element is not None else ()
        self._parts = [_Part(one) for one in found]

    def holds(self, card: VCard) -> bool:
        """Whether a card is like that."""
        return not self._parts or self._combine(part.holds(_of(card, part)) for part in self._parts)


def _of(card: VCard, part: _Part) -> list[tuple[Property | None, list[str]]]:
    return [(one, [one.text]) for one in card.named(part.name) if part.group in {"", one.group.upper()}]
