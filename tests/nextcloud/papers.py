"""Documents of every kind that read_file knows, made by the libraries that people's programs use."""

import io
from typing import Any, cast

import docx
import odfdo
import xlsxwriter  # pyright: ignore[reportMissingTypeStubs]
from pptx import Presentation
from pptx.util import Inches
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject


def word() -> bytes:
    """Write a report with headings, a list and a table."""
    made = docx.Document()
    made.add_heading("Shed", 0)
    made.add_heading("What it needs", 2)
    made.add_paragraph("A roof, größer.")
    made.add_paragraph("wood", style="List Bullet")
    made.add_paragraph("nails", style="List Bullet")
    table = made.add_table(rows=2, cols=2)
    for at, text in enumerate(("what", "count", "boards|planks", "24")):
        table.cell(at // 2, at % 2).text = text
    return _saved(made)


def slides() -> bytes:
    """Show two slides: a list of two levels with notes, and a table."""
    made: Any = Presentation()
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Plan"
    first.placeholders[1].text = "Measure"
    deeper = first.placeholders[1].text_frame.add_paragraph()
    deeper.text, deeper.level = "twice", 1
    first.notes_slide.notes_text_frame.text = "Say it slowly."
    second = made.slides.add_slide(made.slide_layouts[6])
    table = second.shapes.add_table(1, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "a", "b"
    return _saved(made)


def workbook() -> bytes:
    """Fill two sheets, of which one has an empty row."""
    file = io.BytesIO()
    made: Any = xlsxwriter.Workbook(file, {"in_memory": True})
    costs, more = made.add_worksheet("Costs"), made.add_worksheet("More")
    for at, row in enumerate([["item", "euros"], ["wood", 120], [], ["paint", 34.5]]):
        costs.write_row(at, 0, row)
    more.write(0, 0, "Über")
    made.close()
    return file.getvalue()


def open_text() -> bytes:
    """Write a text with a heading and a list."""
    made = odfdo.Document("odt")
    made.body.clear()
    made.body.append(odfdo.Header(1, "Garden"))
    made.body.append(odfdo.Paragraph("Beans and a pond."))
    return _saved(made)


def open_slides() -> bytes:
    """Show one slide."""
    made = odfdo.Document("odp")
    made.body.clear()
    page, frame = odfdo.DrawPage("page1", name="First"), cast("Any", odfdo.Frame)
    page.append(frame.text_frame("Hello there", size=("7cm", "5cm"), position=("1cm", "1cm")))
    made.body.append(page)
    return _saved(made)


def open_sheet() -> bytes:
    """Fill one sheet."""
    made = odfdo.Document("ods")
    made.body.clear()
    table: Any = odfdo.Table("Beds", width=2, height=1)
    table.set_value("A1", "beans")
    table.set_value("B1", 3)
    made.body.append(table)
    return _saved(made)


def pdf(*texts: str) -> bytes:
    """Print each text on a page of its own."""
    made = PdfWriter()
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"),
        NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    })  # fmt: skip
    for text in texts:
        page = made.add_blank_page(200, 200)
        page[NameObject("/Resources")] = DictionaryObject({
            NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})
        })  # fmt: skip
        content = StreamObject()
        content.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = content
    file = io.BytesIO()
    made.write(file)
    return file.getvalue()


def _saved(document: Any) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()
