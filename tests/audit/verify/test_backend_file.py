"""`verify --backend`: a service of somebody's own in the place of the plan's backend."""

import json
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner, Result
from tests.cli.command import announced, running
from tests.patience import patience

from aboveboard.audit.verify import load_plan
from aboveboard.audit.verify.backend_file import load_backend, load_bookkeeping
from aboveboard.audit.verify.processes import free_port
from aboveboard.cli import group
from aboveboard.cli.sandbox import VARIABLE
from aboveboard.cli.services import NAMES, bookkeeping_file
from aboveboard.errors import BadInput
from aboveboard.nextcloud.sandbox.seed.seed import APP_PASSWORDS

WHOLE = "url: {url}\nenv: {{NOTES_TOKEN: a-token-of-mine}}\nreset: POST /reset\nstate: GET /state\n"


@pytest.fixture
def notes_url(notes_plan: Path) -> Generator[str]:
    """Serve the notes as somebody's own service, which no plan starts."""
    port = free_port()
    with subprocess.Popen([sys.executable, "-S", str(notes_plan.parent / "backend.py"), str(port)]) as process:
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + patience(30)
        while not _answers(url):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        try:
            yield url
        finally:
            process.terminate()


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/notes").is_success
    except httpx2.HTTPError:
        return False


def _verify(plan: Path | str, text: str, folder: Path, *more: str, environment: dict[str, str] | None = None) -> Result:
    file = folder / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    arguments = ["verify", str(plan), "--backend", str(file), "--repeats", "1", *more]
    return CliRunner().invoke(group, arguments, env=environment)


def test_the_tools_are_proven_on_a_service_that_nobody_started_for_them(
    notes_plan: Path, notes_url: str, tmp_path: Path
) -> None:
    before = httpx2.get(f"{notes_url}/state").json()
    text = WHOLE.format(url=notes_url)
    done = _verify(notes_plan, text, tmp_path, "--only", "delete_note", "--only", "list_notes")
    assert done.exit_code == 0, done.output
    assert "overwrote" not in done.stdout
    assert httpx2.get(f"{notes_url}/state").json() == before, "it is left as it was found"
    gone = _verify(notes_plan, text.replace(notes_url, f"http://127.0.0.1:{free_port()}"), tmp_path)
    assert gone.exit_code == 2
    assert "The reset (POST /reset) cannot be had" in gone.stderr


def test_bookkeeping_of_one_s_own_is_added_to_the_plan_s(notes_plan: Path, notes_url: str, tmp_path: Path) -> None:
    text = WHOLE.format(url=notes_url)
    assert _verify(notes_plan, text, tmp_path, "--only", "peek_note").exit_code == 1
    done = _verify(notes_plan, text + 'bookkeeping: ["notes/*/views"]\n', tmp_path, "--only", "peek_note")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("reset: POST /reset\n", "", "mine.yaml, it has no `reset`: say how its first state is brought back."),
        ("state: GET /state\n", "", "mine.yaml, it has no `state`: say how its state is read."),
        ("state: GET", "stat: GET", "mine.yaml, line 4: "),
        ("state: GET", "state: FETCH", "mine.yaml, line 4: state takes a method and a path"),
        (
            "a-token-of-mine",
            "'${MY_TOKEN}'",
            "mine.yaml, it asks for ${MY_TOKEN}, which the environment does not have.",
        ),
        ("{NOTES_TOKEN: a-token-of-mine}", "{}", "mine.yaml, it has no NOTES_TOKEN under `env`, and the environment"),
        ("{NOTES_TOKEN", "{NOTES_URL: 'http://x', NOTES_TOKEN", "NOTES_URL follows from `url`: leave it out."),
        ("state: GET", "values: {second: 2}\nstate: GET", "second is not a value of plan.yaml."),
        ("url: http://127.0.0.1:1", "url: https://notes.example.com", "--i-know-this-is-disposable"),
        ("url: http", "url: [http", "mine.yaml, this is not YAML"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_a_sentence(
    notes_plan: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = WHOLE.format(url="http://127.0.0.1:1")
    assert old in text
    done = _verify(notes_plan, text.replace(old, new), tmp_path)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_credentials_may_come_from_the_environment_and_are_no_text_of_the_plan(
    notes_plan: Path, tmp_path: Path
) -> None:
    file, plan = tmp_path / "mine.yaml", load_plan(notes_plan)
    file.write_text(
        'url: http://127.0.0.1:1\nreset: POST /reset\nheaders: {X-Token: "${MINE}"}\n'
        'state: {command: ["${python}", "${here}/state.py"]}\nvalues: {first: 7}\n',
        encoding="utf-8",
    )
    given = {"NOTES_TOKEN": "from outside", "MINE": "a ${strange} one"}
    ours = load_backend(file, plan, given).replacing(plan, ["views/**"])
    assert ours.server.environment == {"NOTES_URL": "${upstream}", "NOTES_TOKEN": "from outside"}
    assert ours.backend.headers == {"X-Token": "a $${strange} one"}
    assert ours.backend.state == type(ours.backend.state)(("${python}", f"{tmp_path}/state.py"))  # type: ignore[call-arg]
    assert ours.values == {"first": 7}
    assert ours.bookkeeping == ("log", "views/**")
    assert not ours.backend.command
    with pytest.raises(BadInput, match="NOTES_TOKEN"):
        load_backend(file, plan, {"MINE": "x"}).replacing(plan)


@pytest.mark.parametrize("service", NAMES)
def test_what_moves_by_itself_is_known_of_each_service(service: str) -> None:
    known = load_bookkeeping(bookkeeping_file(service))
    assert known
    assert len(set(known)) == len(known)


def test_our_own_tools_are_proven_on_somebody_s_nextcloud(tmp_path: Path) -> None:
    with running("sandbox", "nextcloud", "--port", "0", settings={VARIABLE: "mine"}) as process:
        url = announced(process).partition(";")[0].split()[-1]
        text = f"url: {url}\nheaders: {{X-Sandbox-Token: mine}}\n"
        text += "reset: POST /_sandbox/reset\nstate: GET /_sandbox/state\n"
        given = {"NEXTCLOUD_USERNAME": "bob", "NEXTCLOUD_PASSWORD": APP_PASSWORDS["bob"]}
        only = ["--only", "nc_notes_create_note", "--format", "json"]
        done = _verify("nextcloud", text, tmp_path, *only, environment=given)
    assert done.exit_code == 0, done.output
    found = {one["hint"]: one for one in json.loads(done.stdout)["verdicts"]}
    assert found["readOnlyHint"]["verdict"] == "holds"
    assert "added files/bob/Notes" in found["readOnlyHint"]["cause"], "it is done as whom the environment names"
    assert given["NEXTCLOUD_PASSWORD"] not in done.output
