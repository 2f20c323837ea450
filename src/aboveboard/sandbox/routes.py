"""Which function answers a path: found segment by segment and still encoded, so that %2F never separates.

A path may have {names} in it, each for one segment, and {name...} at its end for all that follow. Where several paths
fit, a word goes before a name, and a name before a rest, whatever the order in which they were declared.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Handler = TypeVar("Handler")


@dataclass(frozen=True)
class Route(Generic[Handler]):
    """One method on one path; a public one wants no login, and the headers go out with every response of it."""

    method: str
    path: str
    handler: Handler
    public: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def parts(self) -> list[str]:
        """The segments of the path."""
        return self.path.strip("/").split("/")

    @property
    def names(self) -> list[str]:
        """The names in the path, in their order."""
        return [part.strip("{}").removesuffix("...") for part in self.parts if part.startswith("{")]


def register(
    routes: list[Route[Handler]],
    method: str,
    path: str,
    *,
    public: bool = False,
    headers: Mapping[str, str] | None = None,
) -> Callable[[Handler], Handler]:
    """A decorator that adds its function to a list of routes."""

    def keep(handler: Handler) -> Handler:
        routes.append(Route(method, path, handler, public, headers or {}))
        return handler

    return keep


@dataclass(frozen=True)
class Found(Generic[Handler]):
    """What is known of a path: its route, if the method is one of those it has, and its values, still encoded."""

    route: Route[Handler] | None
    values: Mapping[str, str]
    methods: Sequence[str]


@dataclass
class _Node(Generic[Handler]):
    words: dict[str, "_Node[Handler]"] = field(default_factory=dict[str, "_Node[Handler]"])
    any: "_Node[Handler] | None" = None
    rest: "_Node[Handler] | None" = None
    routes: dict[str, Route[Handler]] = field(default_factory=dict[str, Route[Handler]])


class Router(Generic[Handler]):
    """The routes of a service."""

    def __init__(self, routes: Iterable[Route[Handler]], *, any_case: bool = False) -> None:
        """Sort the routes by their segments; with `any_case`, capitals in a path make no difference."""
        self._fold: Callable[[str], str] = str.lower if any_case else str
        self._root = _Node[Handler]()
        for route in routes:
            node = self._root
            for part in route.parts:
                node = self._step(node, part)
            if route.method in node.routes:
                raise ValueError(f"Two functions answer {route.method} {route.path}. Take one of them away.")
            node.routes[route.method] = route

    def _step(self, node: _Node[Handler], part: str) -> _Node[Handler]:
        if part.endswith("...}"):
            node.rest = node.rest or _Node()
            return node.rest
        if part.startswith("{"):
            node.any = node.any or _Node()
            return node.any
        return node.words.setdefault(self._fold(part), _Node())

    def find(self, method: str, segments: Sequence[str]) -> Found[Handler] | None:
        """What there is for a request, HEAD being answered like GET; None where no route has this path."""
        wanted = "GET" if method == "HEAD" else method
        methods: list[str] = []
        for node, values in self._fitting(self._root, segments, 0, ()):
            route = node.routes.get(wanted)
            if route:
                return Found(route, dict(zip(route.names, values, strict=True)), list(node.routes))
            methods += [name for name in node.routes if name not in methods]
        return Found(None, {}, methods) if methods else None

    def _fitting(
        self, node: _Node[Handler], segments: Sequence[str], at: int, values: tuple[str, ...]
    ) -> Iterator[tuple[_Node[Handler], tuple[str, ...]]]:
        if at == len(segments):
            if node.routes:
                yield node, values
        else:
            word = node.words.get(self._fold(segments[at]))
            if word:
                yield from self._fitting(word, segments, at + 1, values)
            if node.any and segments[at]:
                yield from self._fitting(node.any, segments, at + 1, (*values, segments[at]))
        if node.rest:
            yield node.rest, (*values, "/".join(segments[at:]))
