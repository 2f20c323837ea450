"""A backend of somebody's own in the place of the plan's: where it is, who asks, how it is read and put back."""

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

import yaml

from aboveboard.audit.verify.plan import BUILT_IN, Plan
from aboveboard.audit.verify.plan_reader import Document, PlanReader, naming
from aboveboard.audit.verify.tables import Loader, Table, at, mapping_of_texts, table_of, texts
from aboveboard.audit.verify.tables import text as text_of
from aboveboard.errors import BadInput

OF_THE_BACKEND: Final = ("url", "headers", "reset", "state", "whole", "record")
KEYS: Final = (*OF_THE_BACKEND, "env", "values", "bookkeeping", "seed")
NEEDED: Final = {
    "url": "where the service answers",
    "reset": "how its first state is brought back",
    "state": "how its state is read",
}
_NAME: Final = re.compile(r"(?<!\$)\$\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class BackendFile:
    """What such a file says; what the environment holds has been filled in."""

    source: str
    table: Table = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)

    @property
    def url(self) -> str:
        """Where the service answers."""
        with naming(self.source):
            if "url" not in self.table:
                raise BadInput(f"it has no `url`: say {NEEDED['url']}.")
            return text_of(self.table["url"], at(self.table, "url"))

    @property
    def seed(self) -> Mapping[str, str]:
        """Who may fill it."""
        with naming(self.source):
            return mapping_of_texts(self.table, "seed")

    def server_environment(self, plan: Plan) -> dict[str, str]:
        """Put this service's credentials in the place of the plan's; what the plan works out itself stays."""
        own = mapping_of_texts(self.table, "env")
        for name in own:
            if "${upstream}" in plan.server.environment.get(name, ""):
                raise BadInput(f"{at(self.table, 'env')}: {name} follows from `url`: leave it out.")
        taken = {name: self._of_the_plan(name, text, own) for name, text in plan.server.environment.items()}
        return {**taken, **own}

    def _of_the_plan(self, name: str, text: str, own: Mapping[str, str]) -> str:
        # What begins so is a setting of our own servers, and nothing of the service behind them.
        if name in own or "${" in text or name.startswith("ABOVEBOARD_"):
            return own.get(name, text)
        if name not in self.environment:
            raise BadInput(f"it has no {name} under `env`, and the environment has none: give it in one of them.")
        return _literal(self.environment[name])

    def replacing(self, plan: Plan, known: Collection[str] = ()) -> Plan:
        """Return the plan for this backend; `known` is the bookkeeping that every such service does."""
        with naming(self.source):
            for key, meaning in NEEDED.items():
                if key not in self.table:
                    raise BadInput(f"it has no `{key}`: say {meaning}.")
            environment = self.server_environment(plan)
        own = PlanReader([Document(self.source, self._as_a_plan(plan))], plan.here, self.source).plan()
        return replace(
            plan,
            server=replace(plan.server, environment=environment),
            backend=own.backend,
            cases=[replace(case, changes=None) for case in plan.cases],  # another dump names facts otherwise
            bookkeeping=(*plan.bookkeeping, *known, *own.bookkeeping),
            values=own.values,
        )

    def _as_a_plan(self, plan: Plan) -> Table:
        """Say the same as a plan would, so that it is read, and refused, as a plan is."""
        with naming(self.source):
            values = table_of(self.table.get("values") or Table(), at(self.table, "values"))
            for name in values:
                if name not in plan.values:
                    raise BadInput(f"{at(values, name)} is not a value of {plan.source}.")
        for name, value in plan.values.items():
            values.lines.setdefault(name, 0)
            values.setdefault(name, value)
        backend = _part(self.table, OF_THE_BACKEND)
        top = _part(self.table, ("bookkeeping",))
        top |= {"backend": backend, "values": values}
        top.lines |= {"backend": self.table.line, "values": self.table.lines.get("values", 0)}
        return top


def load_backend(file: Path, plan: Plan, environment: Mapping[str, str] = os.environ) -> BackendFile:
    """Read such a file; a name that is none of the plan's is one of the environment."""
    table = _read(file)
    names = {*BUILT_IN, *plan.values} - {"here"}
    with naming(file.name):
        filled = _filled(table, {"here": str(file.resolve().parent)}, environment, names)
    return BackendFile(source=file.name, table=filled, environment=environment)


def load_bookkeeping(file: Path) -> tuple[str, ...]:
    """Read what is known to move by itself in every service of a kind."""
    table = _read(file, ("bookkeeping",))
    return texts(table.get("bookkeeping"), at(table, "bookkeeping"))


def _read(file: Path, keys: Collection[str] = KEYS) -> Table:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInput(f"The backend file {file} cannot be read: {reason}.") from None
    with naming(file.name):
        try:
            found = yaml.load(text, Loader=Loader)  # noqa: S506 (it is a SafeLoader)
        except yaml.YAMLError as error:
            raise BadInput(f"this is not YAML ({getattr(error, 'problem', None) or error}).") from None
        return table_of(found, "line 1: a backend file", list(keys))


def _part(table: Table, keys: Collection[str]) -> Table:
    """Return some keys of a table, with their lines."""
    part = Table()
    part.line = table.line
    for key in keys:
        if key in table:
            part[key], part.lines[key] = table[key], table.lines[key]
    return part


def _filled(value: Any, own: Mapping[str, str], environment: Mapping[str, str], kept: Collection[str]) -> Any:
    """Fill in the names that neither the plan nor a run knows."""

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        if name in kept:
            return found[0]
        if name not in own and name not in environment:
            raise BadInput(f"it asks for ${{{name}}}, which the environment does not have.")
        return _literal(own.get(name) or environment.get(name, ""))

    if isinstance(value, str):
        return _NAME.sub(fill, value)
    if isinstance(value, Table):
        for key in value:
            value[key] = _filled(value[key], own, environment, kept)
        return value
    if isinstance(value, list):
        return [_filled(one, own, environment, kept) for one in cast("list[Any]", value)]
    return value


def as_meant(table: Mapping[str, str]) -> dict[str, str]:
    """Return texts of such a file for use outside of a plan."""
    return {name: text.replace("$${", "${") for name, text in table.items()}


def _literal(value: str) -> str:
    """Write what the environment holds so that a plan leaves it as it is: a password may have ${ in it."""
    return value.replace("${", "$${")
