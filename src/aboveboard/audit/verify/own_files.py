"""The files of the server itself: what it leaves in its working directory, its home or its scratch folder is seen.

A database and what else the plan names is told by the state; this is about what lies beside it.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from aboveboard.audit.facts import itself_and_above
from aboveboard.audit.verify.oracles.store import readable, write_mark
from aboveboard.audit.verify.plan import Plan, Shell, parts_of
from aboveboard.audit.verify.values import text

OWN_FILES: Final = "own-files"
"""What the paths of such facts begin with: `own-files/home/.notes/history`."""
SHOWN_FILE: Final = "state-file"
"""What stands before the name of a file that a command tells the state from."""
WORKING_DIRECTORY: Final = "working-directory"
PROGRAM: Final = "program"
"""Where the script stands that the plan starts: many keep their notes beside it."""
OUTLIVING: Final = (f"{OWN_FILES}/{WORKING_DIRECTORY}/", f"{OWN_FILES}/{PROGRAM}/")
"""Those of the folders that outlive the run."""
HOME: Final = "home"
TEMPORARY: Final = "temporary"
"""What is left there may be scratch paper or a store: no change, but told where a tool says that it only reads."""
SCRIPTS: Final = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".rb", ".php", ".sh"})
MOST: Final = 1_500
"""Files. A folder with more is not watched, and the report says so: each look would take too long."""
FEW: Final = 20
"""Files that are looked at sooner than a thread can be asked to do it."""
LONGEST: Final = 64_000
"""Bytes. Of a longer file only the size and the time of its last change are kept."""
NOT_STATE: Final = frozenset(
    {".cache", "__pycache__", ".git", ".hg", "node_modules", ".venv", "venv", ".tox", ".pytest_cache", ".mypy_cache",
     ".ruff_cache", ".npm", ".uv"}
)  # fmt: skip
"""Folders that are caches, or belong to other programs."""
KEPT_HOMES: Final = {
    "npm_config_cache": ".npm",
    "UV_CACHE_DIR": ".cache/uv",
    "UV_TOOL_DIR": ".local/share/uv/tools",
    "UV_PYTHON_INSTALL_DIR": ".local/share/uv/python",
    "PIP_CACHE_DIR": ".cache/pip",
    "PYTHONUSERBASE": ".local",
    "CARGO_HOME": ".cargo",
    "RUSTUP_HOME": ".rustup",
    "DENO_DIR": ".cache/deno",
    "NVM_DIR": ".nvm",
    "PYENV_ROOT": ".pyenv",
    "GOPATH": "go",
}
"""What package managers keep in a home: it stays where it is, so that nothing is fetched anew."""
BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database: part of it, under another name."""
XDG: Final = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def own_places(folders: Mapping[str, Path]) -> dict[str, str]:
    """Return the variables that give a server a home and a place for temporary files of its own."""
    return {**dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folders[TEMPORARY])), **_home(folders[HOME])}


def program_folders(command: Collection[str], values: Mapping[str, Any]) -> dict[str, Path]:
    """Return the folder of the script that a command starts, by name; none where that is not known."""
    words = [Path(text(one, {"upstream": "", **values})) for one in command]
    scripts = [one for one in words if one.suffix in SCRIPTS and one.is_file()]
    return {PROGRAM: scripts[0].resolve().parent} if scripts else {}


def _home(home: Path) -> dict[str, str]:
    """Give it a home without what package managers keep."""
    real = Path.home()
    kept = {name: str(real / place) for name, place in KEPT_HOMES.items() if (real / place).is_dir()}
    moved = {name: str(home / name.lower()) for name in XDG if name in os.environ}
    return {**{name: value for name, value in kept.items() if name not in os.environ}, **moved, "HOME": str(home)}


def told_places(plan: Plan, values: Mapping[str, Any]) -> list[str]:
    """Return the places that the plan names: what happens there is told by the state, or is nobody's business.

    A folder of which the state tells only a part, such as the database in it, is watched but for that part.
    """
    server, backend, scratch = plan.server, plan.backend, values["scratch"]
    words = [*server.command, *server.environment.values(), *backend.command, *backend.environment.values()]
    words += backend.reset.argv if isinstance(backend.reset, Shell) else ()
    told = shown_places(plan, values)
    told += [str(plan.here / text(one.place, values)) for one in plan.stores if "://" not in one.place]
    named = [one for one in _places_in(words, values) if not any(part.startswith(f"{one}/") for part in told)]
    rather_not = {str(Path.cwd()), str(plan.here), ""}
    ours = [
        f"{scratch}/{HOME}",
        f"{scratch}/{TEMPORARY}",
        f"{scratch}/door",
        *(f"{scratch}/snapshot-{n}" for n in range(len(plan.stores))),
    ]
    return [*ours, *(one for one in (*named, *told) if one not in rather_not)]


def shown_places(plan: Plan, values: Mapping[str, Any]) -> list[str]:
    """Return the places that commands tell the state from."""
    looked = [one.argv for one in parts_of(plan.backend.state) if isinstance(one, Shell)]
    return _places_in([word for argv in looked for word in argv], values)


def shown_marks(places: Collection[str]) -> dict[str, str]:
    """Return when the files that commands tell the state from were last written."""
    found: dict[str, str] = {}
    for one in places:
        with suppress(OSError):  # not a file at all, most likely
            found[f"{SHOWN_FILE}/{Path(one).name}"] = write_mark(os.stat(one))
    return found


def _places_in(words: Collection[str], values: Mapping[str, Any]) -> list[str]:
    filled = [text(one, {"upstream": "", **values}) for one in words]
    return [found.rstrip("/") for one in filled for found in re.findall(r"/[^\s:=,;'\"]+", one)]


class OwnFiles:
    """Some folders of one server, looked at as often as anyone likes."""

    def __init__(self, folders: Mapping[str, Path], told: Collection[str]) -> None:
        """Take the folders by name, and the places that the state tells already."""
        self._folders = dict(folders)
        self._told = {f"{one}{end}" for one in told for end in ("", *BESIDE)}
        self._read: dict[str, tuple[tuple[int, int], str]] = {}
        self.few = False
        """Whether the last look found so few files that the next need not be left to a thread."""
        self.too_many: list[str] = []
        for name in [one for one in folders if one and _is_large(folders[one])]:
            del self._folders[name]
            self.too_many.append(name)

    @property
    def watched(self) -> list[str]:
        """The names of the folders that are looked at."""
        return sorted(self._folders)

    def look(self) -> dict[str, Any]:
        """Return every file that counts, by path."""
        files = list(self._files())
        self.few = len(files) <= FEW
        return {path: self._content(file) for path, file in files if not is_temporary(path)}

    def marks(self) -> dict[str, str]:
        """Return of every file which one it is and when it was last written."""
        found: dict[str, str] = {}
        for path, file in self._files():
            with suppress(OSError):  # it went while we looked, which the next look tells
                found[path] = write_mark(file.stat(follow_symlinks=False))
        return found

    def _files(self) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
        seen: set[str] = set()
        for name, folder in self._folders.items():
            told = self._told - {str(folder)}
            for file in _files(folder):
                if file.path not in seen and told.isdisjoint(itself_and_above(file.path)):
                    seen.add(file.path)  # a script may stand above the working directory
                    yield f"{OWN_FILES}/{name}/{os.path.relpath(file.path, folder)}", file

    def _content(self, file: "os.DirEntry[str]") -> str:
        try:
            known = file.stat(follow_symlinks=False)
            mark = known.st_mtime_ns, known.st_size
            if file.path not in self._read or self._read[file.path][0] != mark:
                long = known.st_size > LONGEST or file.is_symlink()
                text = f"{mark[1]} bytes of {mark[0]}" if long else readable(Path(file.path).read_bytes())
                self._read[file.path] = mark, text
            return self._read[file.path][1]
        except OSError:
            return ""  # it went while we looked, or nobody may read it


def is_temporary(path: str) -> bool:
    """Tell whether a path is that of a temporary file."""
    return path.startswith(f"{OWN_FILES}/{TEMPORARY}/")


def _is_large(folder: Path) -> bool:
    return any(number >= MOST for number, _ in enumerate(_files(folder)))


def _files(folder: Path | str) -> Iterator["os.DirEntry[str]"]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for one in entries:
        if one.is_dir(follow_symlinks=False):
            if one.name not in NOT_STATE:
                yield from _files(one.path)
        elif one.is_file(follow_symlinks=False) or one.is_symlink():
            yield one
