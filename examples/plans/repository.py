"""The state of a Git repository: `repository.py reset FOLDER` builds one, `show` prints what is in it.

A version of a file is lost if it can be found nowhere any more: in no commit of a branch, not staged, not in the
working tree. So `content` lists all versions of each file. Where one stands (`head`) and what is staged (`index`) are
shown beside it; the plan calls these two bookkeeping.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ALWAYS: Final = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
}  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    """Run Git so that it does the same each time."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **ALWAYS}, check=True, capture_output=True)  # noqa: S603 (its own words)
    return done.stdout.decode()


def reset(folder: Path) -> None:
    """Build a repository: two branches, a file that is staged in one version and edited to another, a new file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.com")
    (folder / "poem.txt").write_text("first\n", "utf-8")
    (folder / "tale.txt").write_text("once\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Begin")
    git(folder, "branch", "other")
    (folder / "tale.txt").write_text("staged\n", "utf-8")
    git(folder, "add", "tale.txt")
    (folder / "tale.txt").write_text("edited\n", "utf-8")
    (folder / "new.txt").write_text("new\n", "utf-8")


def show(folder: Path) -> None:
    """Print branches with their commits, all versions of all files, and where one stands."""
    branches = git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    commits = {one: git(folder, "rev-list", "--reverse", one).split() for one in branches}
    staged = [line.split(maxsplit=3) for line in git(folder, "ls-files", "--stage").splitlines()]
    index = {name: blob for _, blob, _, name in staged}
    head = git(folder, "symbolic-ref", "--short", "HEAD").strip()
    found = {"head": head, "index": index, "branches": commits, "content": _versions(folder, branches, index)}
    sys.stdout.write(json.dumps(found))


def _versions(folder: Path, branches: list[str], index: dict[str, str]) -> dict[str, list[str]]:
    """Return every version of every file that a branch, the index or the working tree still names."""
    named = {*index.items()}
    for line in git(folder, "log", "--format=", "--raw", "--no-abbrev", "--no-renames", *branches).splitlines():
        named.add((line.split("\t")[1], line.split()[3]))
    texts = {(name, git(folder, "cat-file", "blob", blob)) for name, blob in named}
    texts |= {(file.name, file.read_text("utf-8")) for file in folder.iterdir() if file.is_file()}
    return {name: sorted(text for other, text in texts if other == name) for name, _ in sorted(texts)}


if __name__ == "__main__":
    {"reset": reset, "show": show}[sys.argv[1]](Path(sys.argv[2]))
