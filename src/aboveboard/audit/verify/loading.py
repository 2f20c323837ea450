"""Reads a plan: one YAML file, or a folder with a base and a file for each area."""

from pathlib import Path
from typing import Final

import yaml

from aboveboard.audit.verify.plan import Plan
from aboveboard.audit.verify.plan_reader import Document, PlanReader, naming
from aboveboard.audit.verify.tables import Loader, todos
from aboveboard.errors import BadInput

BASES: Final = ("base.yaml", "plan.yaml")
"""What the file may be called that says how the server and its backend are started."""
SUFFIXES: Final = (".yaml", ".yml")


def load_plan(source: Path | str) -> Plan:
    """Read a plan from a file, or from all files of a folder."""
    path = Path(source)
    if not path.is_dir():
        return parse_plan(_text(path), here=path.resolve().parent, source=path.name)
    base = base_of(path)
    areas = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file != base)
    documents = [_document(_text(file), f"{path.name}/{file.name}") for file in (base, *areas)]
    return PlanReader(documents, path.resolve(), path.name).plan()


def parse_plan(text: str, *, here: Path | None = None, source: str = "the plan") -> Plan:
    """Read a plan from text."""
    return PlanReader([_document(text, source)], here or Path.cwd(), source).plan()


def base_of(folder: Path) -> Path:
    """Find the file of a folder that says how everything is started."""
    found = [folder / name for name in BASES if (folder / name).is_file()]
    if len(found) != 1:
        problem = "has two bases" if found else "holds no plan"
        raise BadInput(
            f"The folder {folder} {problem}.",
            next_step=f"It takes one {' or '.join(BASES)}, with server and backend, and any number of other files.",
        )
    return found[0]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInput(f"The plan {file} cannot be read: {reason}.") from None


def _document(text: str, source: str) -> Document:
    with naming(source):
        try:
            return Document(source, yaml.load(text, Loader=Loader), todos(text))  # noqa: S506 (it is a SafeLoader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            # What is missing at the end is said to be missing on the line after it.
            at = f"line {min(mark.line, text.rstrip().count(chr(10))) + 1}: " if mark else ""
            raise BadInput(f"{at}this is not YAML ({getattr(error, 'problem', None) or error}).") from None
        except RecursionError:
            raise BadInput("it is nested too deeply.") from None
