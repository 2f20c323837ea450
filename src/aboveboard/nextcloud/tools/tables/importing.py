"""Import of CSV: everything is checked first, then written row by row, and what was written is said in any case."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from aboveboard.effects import ADD
from aboveboard.errors import BadInput, Failure
from aboveboard.kit.call import Call
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables.csv_rows import CheckedFile, check_csv
from aboveboard.nextcloud.client.tables.sheet import Sheet
from aboveboard.nextcloud.tools.files import encodings
from aboveboard.nextcloud.tools.tables.area import TableId, sheet_of, tools
from aboveboard.nextcloud.tools.tables.shown import table_url

SHOWN: Final = 20
_DELIMITERS: Final = {"comma": ",", "semicolon": ";", "tab": "\t"}


class LineNote(BaseModel):
    """What there is to say of a line of the file."""

    line: int
    text: str


class Imported(BaseModel):
    """What was imported, or would be: the ids of the new rows in the order of their lines."""

    table_id: int
    columns: list[str]
    rows: int
    written: int
    row_ids: list[int] | None = None
    problems: list[LineNote] | None = None
    problems_total: int | None = None
    warnings: list[LineNote] | None = None
    url: str | None = None


class ImportStopped(Failure):
    """Some rows were written, and then one was not."""


@tools.tool(
    "Import CSV to Table", ADD, example=Imported(table_id=7, columns=["What"], rows=2, written=2, row_ids=[41, 42])
)
async def import_csv(
    nextcloud: NextcloudClient,
    call: Call,
    table_id: TableId,
    content: Annotated[str | None, Field(description="CSV whose first line names columns by title or id.")] = None,
    path: Annotated[str | None, Field(description="Or a CSV file among the user's files.", min_length=1)] = None,
    delimiter: Annotated[
        Literal["comma", "semicolon", "tab"] | None, Field(description="Left out, it is found in the first line.")
    ] = None,
    check_only: Annotated[bool, Field(description="True: only say what would be imported, and what is wrong.")] = False,
    start_line: Annotated[int, Field(description="Leave out lines before this one, e.g. after a stop.", ge=2)] = 2,
) -> Imported:
    """Add a row for each line of a CSV, up to 2,000. All lines are checked first: if one is wrong, nothing is written.

    Should a write fail on the way, the error says which rows were written.
    """
    sheet = await sheet_of(nextcloud, table_id)
    text = await _text(nextcloud, call, content, path)
    checked = check_csv(sheet, text, delimiter=_DELIMITERS.get(delimiter or ""))
    checked.lines = [line for line in checked.lines if line.number >= start_line]
    checked.problems = [problem for problem in checked.problems if problem[0] >= start_line]
    url = table_url(nextcloud, table_id)
    answer = Imported(table_id=table_id, columns=checked.columns, rows=len(checked.lines), written=0, url=url)
    if check_only:
        notes = [LineNote(line=number, text=problem) for number, problem in checked.problems[:SHOWN]]
        return answer.model_copy(update={"problems": notes or None, "problems_total": len(checked.problems) or None})
    _refuse_problems(checked)
    ids, warnings = await _write(nextcloud, call, sheet, table_id, checked)
    return answer.model_copy(update={"written": len(ids), "row_ids": ids, "warnings": warnings or None})


async def _text(nextcloud: NextcloudClient, call: Call, content: str | None, path: str | None) -> str:
    if (content is None) == (path is None):
        raise BadInput("Give either content or path.")
    if path is None:
        return content or ""
    if not call.may_call("read_file"):
        raise BadInput("Reading files is switched off for this caller.", next_step="Give the CSV as content.")
    data = (await nextcloud.files.read(path)).data
    encoding = encodings.detect_encoding(data)
    if encoding is None:
        raise BadInput(f"{path!r} is not text.", next_step="Save it as CSV first.")
    return encoding.text(data[encoding.mark :])


def _refuse_problems(checked: CheckedFile) -> None:
    if checked.problems:
        listed = " ".join(f"Line {number}: {problem}" for number, problem in checked.problems[:SHOWN])
        more = f" And {len(checked.problems) - SHOWN} more." if len(checked.problems) > SHOWN else ""
        count = f"{len(checked.problems)} of {len(checked.lines) + len(checked.problems)} lines"
        raise BadInput(f"Nothing was written: {count} are wrong. {listed}{more}")
    if not checked.lines:
        raise BadInput("There are no lines to import.")


async def _write(
    nextcloud: NextcloudClient, call: Call, sheet: Sheet, table: int, checked: CheckedFile
) -> tuple[list[int], list[LineNote]]:
    ids, warnings, total = list[int](), list[LineNote](), len(checked.lines)
    for line in checked.lines:
        try:
            row = await nextcloud.table_rows.create(table, line.cells)
        except Failure as failure:
            if not ids:
                raise
            raise _stopped(failure, line.number, ids, total) from None
        ids.append(row.id)
        if lost := sheet.not_kept(line.cells, row):
            warnings.append(LineNote(line=line.number, text=f"Nextcloud kept nothing for {', '.join(lost)}."))
        await call.progress(len(ids), total, f"{len(ids)} of {total} rows written")
    return ids, warnings


def _stopped(failure: Failure, line: int, ids: list[int], total: int) -> ImportStopped:
    return ImportStopped(
        f"The import stopped at line {line}: {failure} Before it, {len(ids)} of {total} rows were written"
        f" (ids {', '.join(map(str, ids[:SHOWN]))}{f' ... {ids[-1]}' if len(ids) > SHOWN else ''}); of the rest, none.",
        next_step=f"Look whether line {line} is there; once that is put right, go on with start_line={line}.",
    )
