"""What a query answers: rows with typed columns, and a compact table for the model to read."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Literal, cast

from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.queries.queries import Column, Poll, Submitted

TEXT_BUDGET = 24_000
"""Characters of a table that a model gets to read at once, about 8,000 tokens; clients cut answers near 25,000."""


class QueryResult(Model):
    """A page of a query's rows, each row in the order of the columns."""

    status: Literal["ready", "running"]
    query_uuid: str
    columns: list[Column]
    rows: list[list[Any]]
    total_rows: int
    next_page: int | None = None
    next_step: str | None = None
    url: str | None = None

    def as_text(self, budget: int = TEXT_BUDGET) -> str:
        """Return a table, how much of it is left out, and how to get that."""
        if self.status == "running":
            return f"Still running; query_uuid {self.query_uuid}. {self.next_step or ''}".rstrip()
        lines = self._lines()
        shown = max(_fitting(lines, budget), 1)
        notes = [
            self._count(shown - 1),
            self.next_step,
            f"Open it: {self.url}" if self.url and "?" not in self.url else "",  # one with the query in it is long
        ]
        if not any(self.query_uuid in (note or "") for note in notes):
            notes.append(f"query_uuid: {self.query_uuid}")  # totals, exports and the records behind it go by that
        return "".join(lines[:shown]) + "\n".join(note for note in notes if note)

    def brief(self, rows: int, budget: int) -> str:
        """Return a table of the first rows, and how many more there are."""
        lines = self._lines()
        shown = min(_fitting(lines, budget), rows + 1)
        more = self.total_rows - max(shown - 1, 0)
        return "".join(lines[:shown]) + (f"… and {more} more row{'s' if more > 1 else ''}" if more else "")

    def _lines(self) -> list[str]:
        return _csv([[column.id for column in self.columns], *self.rows])

    def _count(self, shown: int) -> str:
        here, total = len(self.rows), self.total_rows
        if shown < here:
            paged = f"get_query_result with query_uuid {self.query_uuid} and rows {shown} pages through them"
            more = paged if shown else "ask for fewer columns"
            return f"The first {shown} of {here} rows here, of {total} in all; the rest would not fit: {more}."
        return f"{here} of {total} rows." if here < total else "1 row." if total == 1 else f"{total} rows."


def result_of(
    submitted: Submitted,
    poll: Poll,
    *,
    rows: int,
    order: Sequence[str] = (),
    limit: int | None = None,
    url: str | None = None,
) -> QueryResult:
    """Put an answer in order: columns as they were asked for, numbers as numbers."""
    if poll.status != "ready":
        return QueryResult(
            status="running",
            query_uuid=poll.query_uuid,
            columns=[],
            rows=[],
            total_rows=0,
            next_step="Call get_query_result with this query_uuid to wait on, or cancel_query to stop it.",
            url=url,
        )
    columns = _columns(poll, submitted.fields or {}, order)
    return QueryResult(
        status="ready",
        query_uuid=poll.query_uuid,
        columns=columns,
        rows=[[_value(row.get(column.id), column.type) for column in columns] for row in poll.rows or []],
        total_rows=poll.total_results,
        next_page=poll.next_page,
        next_step=_next_step(poll, rows, limit),
        url=url,
    )


def _columns(poll: Poll, fields: dict[str, dict[str, Any]], order: Sequence[str]) -> list[Column]:
    """Return the columns as they were asked for: a row keeps that order, the list of columns does not.

    Without rows Lightdash lists no columns at all, and a table calculation has no label but a display name.
    """
    found = poll.columns or {name: {"type": _kind(fields.get(name, {}))} for name in order}
    first = (poll.rows or [{}])[0]
    ids = dict.fromkeys(name for name in (*order, *first, *found) if name in found)
    return [Column(id=name, label=_label(name, fields), type=str(found[name].get("type", ""))) for name in ids]


def _label(name: str, fields: dict[str, dict[str, Any]]) -> str:
    about = fields.get(name, {})
    return str(about.get("label") or about.get("displayName") or name)


def _kind(field: dict[str, Any]) -> str:
    kind = str(field.get("type", ""))
    return "number" if field.get("fieldType") == "metric" and kind not in ("string", "date", "boolean") else kind


def _next_step(poll: Poll, rows: int, limit: int | None) -> str | None:
    steps: list[str] = []
    if poll.next_page:
        steps += [f"For more: get_query_result with query_uuid {poll.query_uuid}, page {poll.next_page}, rows {rows}."]
    if limit is not None and poll.total_results >= limit:
        steps += [f"The limit of {limit} rows was reached, so there may be others: raise it, filter or group."]
    return " ".join(steps) or None


def _value(cell: Any, kind: str) -> Any:
    """Return the raw value; Lightdash sends counts and big numbers as text."""
    raw: Any = cast("dict[str, Any]", cell).get("value", {}).get("raw") if isinstance(cell, dict) else cell
    if kind == "number" and isinstance(raw, str):
        if re.fullmatch(r"-?\d+", raw):
            return int(raw)
        if re.fullmatch(r"-?\d*\.?\d+(e[+-]?\d+)?", raw, re.IGNORECASE):
            return float(raw)
    return raw


def _fitting(lines: Sequence[str], budget: int) -> int:
    """Tell how many lines from the first on have no more characters than that."""
    return sum(size <= budget for size in accumulate(map(len, lines)))


def _csv(rows: list[list[Any]]) -> list[str]:
    lines: list[str] = []
    for row in rows:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([_cell(value) for value in row])
        lines.append(line.getvalue())
    return lines


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
