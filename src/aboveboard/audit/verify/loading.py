"""Reads a plan from YAML; what it does not know it refuses, with the line and the nearest name it knows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import yaml

from aboveboard.audit.evidence import HINTS
from aboveboard.audit.request import PRIOR
from aboveboard.audit.verify.plan import (
    BUILT_IN,
    Backend,
    Case,
    Effect,
    Fetch,
    Launch,
    Plan,
    Record,
    Rereads,
    Restart,
    Shell,
    State,
    Step,
    ToolReads,
)
from aboveboard.audit.verify.tables import (
    Loader,
    Table,
    at,
    choice,
    mapping_of_texts,
    seconds,
    table_of,
    text,
    texts,
    todos,
)
from aboveboard.audit.verify.values import names_in
from aboveboard.errors import BadInput, unknown

METHODS: Final = tuple(PRIOR)
TOP: Final = (
    "server",
    "backend",
    "domain",
    "reachable",
    "bookkeeping",
    "routes",
    "values",
    "arrange",
    "unseen",
    "tools",
)


def load_plan(source: Path | str) -> Plan:
    """Read a plan from a file."""
    file = Path(source)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise BadInput(f"The plan {file} cannot be read: {reason}.") from None
    return parse_plan(text, here=file.resolve().parent, source=file.name)


def parse_plan(text: str, *, here: Path | None = None, source: str = "the plan") -> Plan:
    """Read a plan from text."""
    try:
        document = yaml.load(text, Loader=Loader)  # noqa: S506 (it is a SafeLoader)
        return replace(_Reader(here or Path.cwd(), source).plan(document), todos=todos(text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f"line {mark.line + 1}: " if mark else ""
        raise BadInput(f"{source}, {at}this is no YAML ({getattr(error, 'problem', None) or error}).") from None
    except RecursionError:
        raise BadInput(f"{source}: it is nested too deeply.") from None
    except BadInput as failure:
        raise BadInput(f"{source}, {failure}" if not str(failure).startswith(source) else str(failure)) from None


class _Reader:
    """Turns the document into a plan."""

    def __init__(self, here: Path, source: str) -> None:
        self.here, self.source = here, source
        self.named: dict[str, list[Step]] = {}
        self.values = Table()

    def plan(self, document: Any) -> Plan:
        top = table_of(document, "line 1: a plan", TOP)
        self.values = table_of(top.get("values") or Table(), at(top, "values"))
        for name in self.values:
            if name in BUILT_IN:
                raise BadInput(f"{at(self.values, name)} has a meaning of its own: give it another name.")
        backend = self._backend(table_of(top.get("backend") or Table(), at(top, "backend"), _BACKEND))
        arrangements = table_of(top.get("arrange") or Table(), at(top, "arrange"))
        for name, steps in arrangements.items():
            self.named[name] = list(self._steps(steps, at(arrangements, name)))
        return Plan(
            server=self._server(table_of(top.get("server") or Table(), at(top, "server"), _SERVER)),
            backend=backend,
            domain=texts(top.get("domain"), at(top, "domain")),
            reachable=texts(top.get("reachable"), at(top, "reachable")),
            bookkeeping=texts(top.get("bookkeeping"), at(top, "bookkeeping")),
            routes=self._routes(table_of(top.get("routes") or Table(), at(top, "routes"))),
            values=self.values,
            unseen=_unseen(top, "unseen"),
            cases=list(self._cases(table_of(top.get("tools") or Table(), at(top, "tools")))),
            here=self.here,
            source=self.source,
        )

    def _server(self, table: Table) -> Launch:
        command = texts(table.get("command"), at(table, "command"))
        url = text(table.get("url", ""), at(table, "url"))
        self._names(table)
        return Launch(
            command=command,
            url=url,
            environment=mapping_of_texts(table, "env"),
            headers=mapping_of_texts(table, "headers"),
            restart=choice(Restart, table, "restart", Restart.TRIAL),
            read_only=table.get("read_only") is True,
            settle=seconds(table, "settle"),
        )

    def _backend(self, table: Table) -> Backend:
        self._names(table)
        reset = table.get("reset")
        record = choice(Record, table, "record", None)
        return Backend(
            command=texts(table.get("command"), at(table, "command")),
            environment=mapping_of_texts(table, "env"),
            url=text(table.get("url", ""), at(table, "url")),
            headers=mapping_of_texts(table, "headers"),
            reset=None if reset is None else _action(reset, at(table, "reset")),
            state=self._state(table),
            record=record,
        )

    def _state(self, table: Table) -> State | None:
        state = table.get("state")
        where = at(table, "state")
        if state is None:
            return None
        if isinstance(state, Table) and "read" in state:
            table_of(state, where, ("read", "headers"))
            reads = tuple(_fetch(one, where) for one in texts(state["read"], where))
            return Rereads(reads, mapping_of_texts(state, "headers"))
        if isinstance(state, Table) and "tools" in state:
            table_of(state, where, ("tools",))
            return ToolReads(tuple(self._steps(state["tools"], where, ("call", "arguments"))))
        if isinstance(state, Table) and "command" not in state:
            keys = ("command", "read", "tools")
            raise BadInput(f"{where}: {unknown('key', next(iter(state), ''), keys, of='the plan')}")
        return _action(state, where)

    def _routes(self, table: Table) -> dict[str, Effect]:
        for route in table:
            _fetch(route, at(table, route))
        return {route: cast("Effect", choice(Effect, table, route, None)) for route in table}

    def _cases(self, tools: Table) -> Iterator[Case]:
        for tool, cases in tools.items():
            where = at(tools, tool)
            if not isinstance(cases, list):
                raise BadInput(f"{where} takes a list of cases, each with its arguments.")
            for given in cast("list[Any]", cases):
                case = Table() if given is None else table_of(given, where, _CASE)
                yield self._case(tool, case, where)

    def _case(self, tool: str, case: Table, where: str) -> Case:
        steps = [*self._after(case), *self._steps(case.get("arrange") or [], at(case, "arrange"))]
        arguments = table_of(case.get("arguments") or Table(), at(case, "arguments"))
        kept = {name for step in steps for name in step.keep}
        self._known(names_in(arguments), kept, at(case, "arguments") if arguments else where)
        return Case(
            tool=tool,
            name=text(case.get("name", ""), at(case, "name")),
            arrange=steps,
            arguments=arguments,
            unseen=_unseen(case, "unseen"),
            local=text(case.get("local", ""), at(case, "local")),
            line=case.line,
        )

    def _after(self, case: Table) -> Iterator[Step]:
        after = case.get("after")
        for name in (after,) if isinstance(after, str) else texts(after, at(case, "after")):
            if name not in self.named:
                raise BadInput(f"{at(case, 'after')}: {unknown('arrangement', name, list(self.named), of='the plan')}")
            yield from self.named[name]

    def _steps(self, given: Any, where: str, keys: Sequence[str] = ("call", "arguments", "keep")) -> Iterator[Step]:
        if not isinstance(given, list):
            raise BadInput(f"{where} takes a list of steps, each with `call`.")
        kept: set[str] = set()
        for one in cast("list[Any]", given):
            step = table_of(one, where, keys)
            arguments = table_of(step.get("arguments") or Table(), at(step, "arguments"))
            keep = mapping_of_texts(step, "keep")
            for name in keep:
                if name in (*BUILT_IN, *self.values):
                    raise BadInput(f"{at(step, 'keep')} cannot be called {name!r}: that is something else already.")
            self._known(names_in(arguments), kept | self._everything_kept(), at(step, "arguments"))
            kept |= set(keep)
            yield Step(call=text(step.get("call"), at(step, "call")), arguments=arguments, keep=keep, line=step.line)

    def _everything_kept(self) -> set[str]:
        return {name for steps in self.named.values() for step in steps for name in step.keep}

    def _names(self, table: Table) -> None:
        for key, value in table.items():
            self._known(names_in(value), (), at(table, key))

    def _known(self, used: Iterator[str], kept: set[str] | tuple[str, ...], where: str) -> None:
        known = [*self.values, *kept, *BUILT_IN]
        for name in used:
            if name not in known:
                raise BadInput(
                    f"{where}: {unknown('value', '${' + name + '}', [f'${{{one}}}' for one in known], of='the plan')}"
                )


_SERVER = ("command", "env", "url", "headers", "restart", "read_only", "settle")
_BACKEND = ("command", "env", "url", "headers", "reset", "state", "record")
_CASE = ("name", "after", "arrange", "arguments", "unseen", "local")


def _unseen(table: Table, key: str) -> dict[str, str]:
    reasons = mapping_of_texts(table, key)
    for hint in reasons:
        if hint not in HINTS:
            raise BadInput(f"{at(table, key)}: {unknown('hint', hint, HINTS, of='a tool')}")
    return reasons


def _action(value: Any, where: str) -> Fetch | Shell:
    if isinstance(value, Table):
        table_of(value, where, ("command",))
        return Shell(texts(value.get("command"), where))
    return _fetch(value, where)


def _fetch(value: Any, where: str) -> Fetch:
    method, _, target = text(value, where).partition(" ")
    if method not in METHODS or not target.strip():
        raise BadInput(f"{where} takes a method and a path, such as `GET /state`.")
    return Fetch(method, target.strip())
