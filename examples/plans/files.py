"""The state of a folder, for the plan of a file server: `files.py reset FOLDER` makes it anew, `show` prints it."""

import json
import shutil
import sys
from pathlib import Path

SEED = {"letter.txt": "Dear reader\n", "notes/list.txt": "milk\nbread\n", "notes/plan.md": "# Plan\n"}


def reset(folder: Path) -> None:
    """Make the folder what it was."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in SEED.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def show(folder: Path) -> None:
    """Print every file with its text, and every folder."""
    files = {str(one.relative_to(folder)): one.read_text("utf-8") for one in folder.rglob("*") if one.is_file()}
    folders = sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_dir())
    sys.stdout.write(json.dumps({"files": files, "folders": folders}))


if __name__ == "__main__":
    {"reset": reset, "show": show}[sys.argv[1]](Path(sys.argv[2]))
