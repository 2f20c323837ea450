"""How an answer differs from the recorded one: paths such as results.queries[].name, and what is wrong there.

The data is another shop's, so most values are not compared, only what a client relies on: which keys there are, which
JSON types they hold, whether a list holds anything, and the few values that follow from the request or the caller.
An error is compared whole, apart from ids.
"""

import re
from collections import defaultdict
from functools import cache
from typing import Any, cast

from tests.lightdash.sandbox.recordings import Step, load

TRIMMED = "__trimmed__"
# The recorded lists are cut after three items; the API's own description has a text or null here.
TEXT_OR_NULL = frozenset({"description", "upstreamProjectUuid", "dashboardUuid", "dashboardName", "dashboardSlug"})
# Never seen filled, so nothing is known to compare with.
UNKNOWN_INSIDE = ("results.data[chart].dashboard", "results.childSpaces[]")
# Values that must be the recorded ones, ids exchanged, wherever they stand outside a listing.
TELLING = re.compile(
    "(.*[.])?(status|uuid|projectUuid|userUuid|organizationUuid|page|pageSize|role|hasDirectAccess|inheritedRole|inheritedFrom|projectRole|hasAccess|"
    "inheritParentPermissions|inheritsFromOrgOrProject|isAuthenticated|defaultLimit|maxPageSize|queryMaxLimit|host|query)"
)
# Maps whose keys are names of the shop's own things.
MAPS = re.compile(
    r"(results|explore)\.(columns|fields|rows\[\]|usedParametersValues|tables(\[\]\.(dimensions|metrics|lineageGraph|sets))?)"
)
# What has keys that come and go: fields, tables, explores.
LOOSE = re.compile(r"results\.data\[\]\.config|explore(\.tables\[\])?|(field|entry)\[\w+\](\.spotlight)?")
# Fields and catalog entries look the same wherever they stand.
ANYWHERE = ("field[", "entry[")
# Endpoints whose results are maps by name, and how deep.
NAMED = {"catalog": 3, "tables": 3, "fields": 1, "parameters": 1}
LISTINGS = re.compile(
    r"results(\[|\.(data|queries|dashboards|savedCharts|tiles|charts|members|abilityRules|verification|mostPopular|recentlyUpdated|dashboardViews|chartViews|groups)\b).*"
)


class Shape:
    """What stands at every path of one or more JSON values."""

    def __init__(self, *values: object) -> None:
        self.types: dict[str, set[str]] = defaultdict(set)
        self.keys: dict[str, set[frozenset[str]]] = defaultdict(set)
        self.filled: dict[str, bool] = {}
        self.cut: list[str] = []
        self.values: dict[str, set[object]] = defaultdict(set)
        for value in values:
            self._add("", value)

    def _add(self, path: str, value: object) -> None:
        if isinstance(value, dict):
            fields = dict(cast("dict[str, object]", value))
            path = _moved(path, fields)
            if MAPS.fullmatch(path):
                fields.pop(TRIMMED, None)
                for item in fields.values():
                    self._add(f"{path}[{_kind_of(item)}]", item)
                return
            self.cut += [f"{path}.{key}[".lstrip(".") for key in cast("dict[str, int]", fields.pop(TRIMMED, {}))]
            self.types[path].add("object")
            self.keys[path].add(frozenset(fields))
            for key, item in fields.items():
                self._add(f"{path}.{key}".lstrip("."), item)
        elif isinstance(value, list):
            items = cast("list[object]", value)
            self.types[path].add("list")
            self.filled[path] = self.filled.get(path, False) or bool(items)
            for item in items:
                self._add(f"{path}[{_kind_of(item)}]", item)
        else:
            self.types[path].add(_json_type(value))
            if TELLING.fullmatch(path) and not LISTINGS.fullmatch(path):
                self.values[path].add(value)


def differences(got: object, step: Step, expected: object) -> dict[str, str]:
    """Where a successful answer departs from the recorded one."""
    got, expected = (named(value, step) for value in (got, expected))
    if not isinstance(expected, dict):
        return {} if got == expected else {"body": f"{got!r}, not {expected!r}"}
    ours, theirs, seen = Shape(got), Shape(cast("object", expected)), _seen(step)
    wrong = _wrong_keys(ours, theirs, seen) | _wrong_types(ours, theirs, seen) | _wrong_values(ours, theirs)
    wrong |= _wrong_names(got, step)
    return {path: text for path, text in wrong.items() if not path.startswith(UNKNOWN_INSIDE)}


def named(answer: object, step: Step) -> object:
    """The answer with maps as lists where their keys are names of the shop's own tables and columns."""
    depth = NAMED.get(step.request["path"].rpartition("/")[2], 0)
    if not depth or not isinstance(answer, dict) or "results" not in answer:
        return cast("object", answer)
    return cast("dict[str, object]", answer) | {"results": _unnamed(cast("Any", answer)["results"], depth)}


def _unnamed(value: Any, depth: int) -> Any:
    if not depth or not isinstance(value, dict):
        return value
    items = cast("dict[str, Any]", value).items()
    return [_unnamed(item, depth - 1) for name, item in items if name != TRIMMED]


def _wrong_keys(ours: Shape, theirs: Shape, seen: Shape) -> dict[str, str]:
    wrong: dict[str, str] = {}
    for path, keys in ours.keys.items():
        cut = path.startswith(tuple(theirs.cut))
        allowed = seen.keys.get(path, set()) if cut or path not in theirs.keys else theirs.keys[path]
        if LOOSE.fullmatch(path) and seen.keys.get(path):
            allowed = {keys_ for keys_ in keys if _fits(keys_, seen.keys[path])}
        for extra in keys - allowed:
            nearest = min(allowed, key=lambda known, extra=extra: len(known ^ extra), default=frozenset[str]())
            wrong[path] = f"has {sorted(extra - nearest)} too much and {sorted(nearest - extra)} too little"
    return wrong


def _fits(keys: frozenset[str], seen: set[frozenset[str]]) -> bool:
    """Whether keys are a mix of those seen: all that were always there, and none that never was."""
    ever = {key for one in seen for key in one}
    always = {key for key in ever if all(key in one for one in seen)}
    return always <= keys <= ever


def _wrong_types(ours: Shape, theirs: Shape, seen: Shape) -> dict[str, str]:
    wrong: dict[str, str] = {}
    for path, kinds in ours.types.items():
        known = set(seen.types.get(path, kinds))
        if path.rpartition(".")[2] in TEXT_OR_NULL:
            known |= {"string", "null"}
        if kinds - known:
            wrong[path] = f"is {sorted(kinds)}, which was never seen, only {sorted(known)}"
        if kinds == {"null"} and theirs.types.get(path, set()) & {"object", "list"}:
            wrong[path] = "should not be null"
    return wrong


def _wrong_values(ours: Shape, theirs: Shape) -> dict[str, str]:
    wrong = {
        path: f"is {ours.values[path]}, not {values}"
        for path, values in theirs.values.items()
        if ours.values[path] != values
    }
    for path, filled in theirs.filled.items():
        if not path.startswith(ANYWHERE) and path in ours.filled and ours.filled[path] != filled:
            wrong[path] = "should hold something" if filled else "should be empty"
    return wrong


def _wrong_names(got: Any, step: Step) -> dict[str, str]:
    """What is created from a recorded name gets the recorded slug; only a nameless thing has one at random."""
    recorded: Any = step.body.get("results")
    if step.request["method"] != "POST" or not isinstance(recorded, dict) or not cast("Any", recorded).get("name", "-"):
        return {}
    made = got["results"]
    return {
        f"results.{key}": f"is {made.get(key)!r}, not {recorded[key]!r}"
        for key in ("name", "slug", "path")
        if key in recorded and made.get(key) != recorded[key]
    }


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    return "string" if isinstance(value, str) else "number"


def _moved(path: str, fields: dict[str, object]) -> str:
    """Where an object is compared: a field or a catalog entry with all others of its kind."""
    if {"baseTable", "tables"} <= fields.keys():
        return "explore"
    if "basicType" in fields:
        return f"entry[{'found' if 'searchRank' in fields else 'listed'}]"
    return f"field[{fields['fieldType']}]" if {"fieldType", "compiledSql"} <= fields.keys() else path


def _kind_of(item: object) -> str:
    """Lists of unlike things are compared kind by kind."""
    fields = cast("dict[str, object]", item) if isinstance(item, dict) else {}
    return str(
        fields.get("contentType")
        or fields.get("fieldType")
        or (fields.get("type") if "properties" in fields else "")
        or ""
    )


def _seen(step: Step) -> Shape:
    """All that was ever answered with success by the endpoint of a step."""
    return _seen_of(step.endpoint, step.status)


@cache
def _seen_of(endpoint: int | None, status: int) -> Shape:
    peers = (peer for peer in load() if peer.endpoint == endpoint and peer.status == status)
    shape = Shape(*(named(peer.body, peer) for peer in peers))
    ever = _everything()
    shape.keys.update({path: keys for path, keys in ever.keys.items() if path.startswith(ANYWHERE)})
    shape.types.update({path: types for path, types in ever.types.items() if path.startswith(ANYWHERE)})
    return shape


@cache
def _everything() -> Shape:
    """All that was ever answered."""
    return Shape(*(step.body for step in load()))
