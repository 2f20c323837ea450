"""Turns the documents of a plan into a plan; what it does not know it refuses, with the nearest name it knows."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from aboveboard.audit.evidence import HINTS
from aboveboard.audit.verify.action_reader import (
    REQUEST,
    STORES,
    read_action,
    read_fetch,
    read_foreign_request,
    read_reset,
    read_store,
)
from aboveboard.audit.verify.plan import (
    BUILT_IN,
    Backend,
    Case,
    Combined,
    ForeignRequest,
    Launch,
    Place,
    Plan,
    Record,
    RequestKind,
    Rereads,
    Restart,
    State,
    Step,
    ToolReads,
    parts_of,
)
from aboveboard.audit.verify.tables import (
    Table,
    at,
    choice,
    mapping_of_texts,
    seconds,
    table_of,
    text,
    texts,
)
from aboveboard.audit.verify.values import names_in
from aboveboard.errors import BadInput, explain_unknown

REAL_HOME: Final = "real"
AREA: Final = ("routes", "values", "arrange", "tools")
"""What a file beside the base may say: the rest is said once for the whole plan."""
TOP: Final = ("server", "backend", "domain", "reachable", "bookkeeping", "unseen", "marathon", *AREA)
STEP: Final = ("call", "send", "arguments", "keep", *REQUEST[1:])
"""The keys of a step: of a call, or of a request past the server."""
ANY_WORDS: Final = ""
"""The words of a refusal that may say what it likes, if it says anything."""
MARATHON: Final = 20
"""How many calls a marathon has, where the plan only says that there is one."""


@dataclass(frozen=True)
class Document:
    """One file of a plan, as it was read."""

    source: str
    table: Table
    todos: Sequence[int] = ()


@contextmanager
def naming(source: str) -> Generator[None]:
    """Put the name of the file before what is wrong in it."""
    try:
        yield
    except BadInput as failure:
        raise BadInput(f"{source}, {failure}") from None


class PlanReader:
    """Turns the documents into one plan: the base first, then the areas in their order."""

    def __init__(self, documents: Sequence[Document], here: Path, source: str) -> None:
        self.documents, self.here, self.source = documents, here, source
        self.named: dict[str, list[Step | ForeignRequest]] = {}
        self.values: dict[str, Any] = {}
        self.kept: set[str] = set()
        """What any arrangement keeps, in whichever file it stands."""
        self.claimed: dict[tuple[str, ...], Place] = {}
        """Where each name was first given: all files of a plan share them."""

    def plan(self) -> Plan:
        """Put the plan together; what all files name comes before what refers to it."""
        base, *areas = self.documents
        with naming(base.source):
            top = table_of(base.table, "line 1: a plan", TOP)
        for area in areas:
            with naming(area.source):
                _only_an_area(area.table, base.source)
        for one in self._each("values"):
            self._take_values(*one)
        for _, arrangements in self._each("arrange"):
            self.kept |= set(_keeps(arrangements))
        for one in self._each("arrange"):
            self._take_arrangements(*one)
        routes = {route: kind for one in self._each("routes") for route, kind in self._routes(*one).items()}
        cases = [case for one in self._each("tools") for case in self._cases(*one)]
        with naming(base.source):
            return Plan(
                server=self._server(table_of(top.get("server") or Table(), at(top, "server"), _SERVER)),
                backend=self._backend(table_of(top.get("backend") or Table(), at(top, "backend"), _BACKEND)),
                domain=texts(top.get("domain"), at(top, "domain")),
                reachable=texts(top.get("reachable"), at(top, "reachable")),
                bookkeeping=texts(top.get("bookkeeping"), at(top, "bookkeeping")),
                routes=routes,
                values=self.values,
                unseen=_unseen(top, "unseen"),
                cases=cases,
                marathon=_marathon(top),
                here=self.here,
                source=self.source,
                todos=[Place(one.source, line) for one in self.documents for line in one.todos],
            )

    def _each(self, key: str) -> Iterator[tuple[Document, Table]]:
        """Go through what the files say under a key; what is wrong with it names its file."""
        for one in self.documents:
            with naming(one.source):
                found = table_of(one.table.get(key) or Table(), at(one.table, key))
            yield one, found

    def _claim(self, what: str, name: str, place: Place, *, of: str = "") -> None:
        """Take a name, which all files of the plan share."""
        first = self.claimed.setdefault((what, of, name), place)
        if first is not place:
            whose = f" of {of}" if of else ""
            raise BadInput(
                f"line {place.line}: the {what} {name!r}{whose} stands in {first} already: give one another name."
            )

    def _take_values(self, document: Document, values: Table) -> None:
        with naming(document.source):
            for name, value in values.items():
                if name in BUILT_IN:
                    raise BadInput(f"{at(values, name)} has a meaning of its own: give it another name.")
                self._claim("value", name, Place(document.source, values.lines[name]))
                self.values[name] = value

    def _take_arrangements(self, document: Document, arrangements: Table) -> None:
        with naming(document.source):
            for name, steps in arrangements.items():
                self._claim("arrangement", name, Place(document.source, arrangements.lines[name]))
                self.named[name] = list(self._steps(document, steps, at(arrangements, name)))

    def _routes(self, document: Document, table: Table) -> dict[str, RequestKind]:
        with naming(document.source):
            for route in table:
                read_fetch(route, at(table, route))
                self._claim("route", route, Place(document.source, table.lines[route]))
            return {route: cast("RequestKind", choice(RequestKind, table, route, None)) for route in table}

    def _cases(self, document: Document, tools: Table) -> list[Case]:
        found: list[Case] = []
        with naming(document.source):
            for tool, cases in tools.items():
                where = at(tools, tool)
                if not isinstance(cases, list):
                    raise BadInput(f"{where} takes a list of cases, each with its arguments.")
                for given in cast("list[Any]", cases):
                    case = table_of(Table() if given is None else given, where, _CASE)
                    case.line = case.line or tools.lines[tool]
                    found.append(self._case(document, tool, case, where))
        return found

    def _case(self, document: Document, tool: str, case: Table, where: str) -> Case:
        own = self._steps(document, case.get("arrange") or [], at(case, "arrange"))
        steps = [*self._after(case), *own]
        arguments = table_of(case.get("arguments") or Table(), at(case, "arguments"))
        kept = {name for step in steps for name in step.keep}
        self._known(names_in(arguments), kept, at(case, "arguments") if arguments else where)
        name = text(case.get("name", ""), at(case, "name"))
        place = Place(document.source, case.line)
        if name:
            self._claim("case", name, place, of=tool)
        return Case(
            tool=tool,
            name=name,
            arrange=steps,
            arguments=arguments,
            unseen=_unseen(case, "unseen"),
            local=text(case.get("local", ""), at(case, "local")),
            refused=self._refused(case, kept),
            may_fail=text(case.get("may_fail", ""), at(case, "may_fail")),
            changes=self._changes(case, kept),
            place=place,
        )

    def _refused(self, case: Table, kept: set[str]) -> tuple[str, ...]:
        """Read the words of a refusal; that any will do has to be said, as any failure would meet it."""
        given, where = case.get("refused"), at(case, "refused")
        words = (ANY_WORDS,) if given is True else (given,) if isinstance(given, str) else texts(given, where)
        if "refused" in case and given is not True and not all(words or [""]):
            raise BadInput(f"{where} takes words that the answer must contain, or true where any will do.")
        for key in ("unseen", "local", "may_fail") if words else ():
            if key in case:
                raise BadInput(f"{at(case, key)} has no meaning beside `refused`, which says nothing of hints.")
        self._known(names_in(list(words)), kept, where)
        return words

    def _changes(self, case: Table, kept: set[str]) -> tuple[str, ...] | None:
        """Read what a call changes; that it changes nothing is said by an empty list."""
        if "changes" not in case:
            return None
        given, where = case["changes"], at(case, "changes")
        if "refused" in case:
            raise BadInput(f"{where} has no meaning beside `refused`: a call that is refused changes nothing.")
        globs = (given,) if isinstance(given, str) else texts(given, where)
        for glob in globs:
            if not glob.strip("*?/"):
                raise BadInput(f"{where} cannot be {glob!r}, which is every fact: name what the call changes.")
        self._known(names_in(list(globs)), kept, where)
        return globs

    def _after(self, case: Table) -> Iterator[Step | ForeignRequest]:
        after = case.get("after")
        for name in (after,) if isinstance(after, str) else texts(after, at(case, "after")):
            if name not in self.named:
                raise BadInput(
                    f"{at(case, 'after')}: {explain_unknown('arrangement', name, list(self.named), of='the plan')}"
                )
            yield from self.named[name]

    def _steps(
        self, document: Document, given: Any, where: str, keys: Sequence[str] = STEP
    ) -> Iterator[Step | ForeignRequest]:
        if not isinstance(given, list):
            raise BadInput(f"{where} takes a list of steps, each with {' or '.join(f'`{one}`' for one in keys[:2])}.")
        kept: set[str] = set()
        for one in cast("list[Any]", given):
            step = table_of(one, where, keys)
            keep = mapping_of_texts(step, "keep")
            for name in keep:
                if name in (*BUILT_IN, *self.values):
                    raise BadInput(f"{at(step, 'keep')} cannot be called {name!r}: that is something else already.")
            for key in set(step) - {"keep"}:
                self._known(names_in(step[key]), kept | self.kept, at(step, key))
            kept |= set(keep)
            place = Place(document.source, step.line)
            yield read_foreign_request(step, keep, place) if "send" in step else _call(step, keep, place)

    def _server(self, table: Table) -> Launch:
        command = texts(table.get("command"), at(table, "command"))
        url = text(table.get("url", ""), at(table, "url"))
        self._names(table)
        return Launch(
            command=command,
            url=url,
            environment=mapping_of_texts(table, "env"),
            headers=mapping_of_texts(table, "headers"),
            restart=choice(Restart, table, "restart", Restart.CASE),
            read_only=table.get("read_only") is True,
            settle=seconds(table, "settle"),
            sealed=table.get("sealed") is not False,
            own_home=table.get("home") != REAL_HOME,
        )

    def _backend(self, table: Table) -> Backend:
        self._names(table)
        record = choice(Record, table, "record", None)
        state = self._state(table.get("state"), at(table, "state"))
        return Backend(
            command=texts(table.get("command"), at(table, "command")),
            environment=mapping_of_texts(table, "env"),
            url=text(table.get("url", ""), at(table, "url")),
            headers=mapping_of_texts(table, "headers"),
            reset=read_reset(table, state),
            state=state,
            record=record,
            whole=table.get("whole") is True,
        )

    def _state(self, state: Any, where: str) -> State | None:
        if state is None:
            return None
        if isinstance(state, list):
            parts = [part for one in cast("list[Any]", state) for part in parts_of(self._state(one, where))]
            return Combined(tuple(parts))
        return self._oracle(state, where)

    def _oracle(self, state: Any, where: str) -> State:
        if isinstance(state, Table) and len(state) == 1 and (kind := next(iter(state))) in STORES:
            return read_store(kind, text(state[kind], at(state, kind)), at(state, kind))
        if isinstance(state, Table) and "read" in state:
            table_of(state, where, ("read", "headers"))
            reads = tuple(read_fetch(one, where) for one in texts(state["read"], where))
            return Rereads(reads, mapping_of_texts(state, "headers"))
        if isinstance(state, Table) and "tools" in state:
            table_of(state, where, ("tools",))
            steps = self._steps(self.documents[0], state["tools"], where, ("call", "arguments"))
            return ToolReads(tuple(one for one in steps if isinstance(one, Step)))
        if isinstance(state, Table) and "command" not in state:
            keys = ("command", "read", "tools", *STORES)
            raise BadInput(f"{where}: {explain_unknown('key', next(iter(state), ''), keys, of='the plan')}")
        return read_action(state, where)

    def _names(self, table: Table) -> None:
        for key, value in table.items():
            self._known(names_in(value), (), at(table, key))

    def _known(self, used: Iterator[str], kept: set[str] | tuple[str, ...], where: str) -> None:
        known = [*self.values, *kept, *BUILT_IN]
        for name in used:
            if name not in known:
                names = [f"${{{one}}}" for one in known]
                raise BadInput(f"{where}: {explain_unknown('value', f'${{{name}}}', names, of='the plan')}")


def _call(step: Table, keep: Mapping[str, str], place: Place) -> Step:
    for key in REQUEST:
        if key in step:
            raise BadInput(f"{at(step, key)} has no meaning beside `call`: it is for `send`.")
    arguments = table_of(step.get("arguments") or Table(), at(step, "arguments"))
    return Step(call=text(step.get("call"), at(step, "call")), arguments=arguments, keep=keep, place=place)


_SERVER = ("command", "env", "url", "headers", "restart", "read_only", "settle", "sealed", "home")
_BACKEND = ("command", "env", "url", "headers", "reset", "state", "whole", "record")
_CASE = ("name", "after", "arrange", "arguments", "unseen", "local", "refused", "may_fail", "changes")


def _only_an_area(table: Any, base: str) -> None:
    """Refuse in the file of an area what is said once for the whole plan."""
    top = table_of(table, "line 1: a plan", TOP)
    for key in top:
        if key not in AREA:
            raise BadInput(f"{at(top, key)} is said once, for the whole plan: move it to {base}.")


def _marathon(top: Table) -> int:
    """Read how many calls a marathon has: a number, or a yes."""
    given = top.get("marathon", False)
    calls = MARATHON if given is True else given or 0
    if not isinstance(calls, int) or calls < 0:
        raise BadInput(f"{at(top, 'marathon')} takes true, false, or a number of calls.")
    return calls


def _keeps(arrangements: Table) -> Iterator[str]:
    """Go through the names that arrangements keep; what is malformed is refused when it is read."""
    for steps in arrangements.values():
        for step in cast("list[Any]", steps) if isinstance(steps, list) else ():
            kept = step.get("keep") if isinstance(step, Table) else None
            yield from kept if isinstance(kept, Table) else ()


def _unseen(table: Table, key: str) -> dict[str, str]:
    reasons = mapping_of_texts(table, key)
    for hint in reasons:
        if hint not in HINTS:
            raise BadInput(f"{at(table, key)}: {explain_unknown('hint', hint, HINTS, of='a tool')}")
    return reasons
