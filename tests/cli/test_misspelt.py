"""Settings whose names are misspelt: one that should keep something safe is not left aside in silence."""

import re
from pathlib import Path

import pytest
from tests.cli.command import in_process

from aboveboard.cli.misspelt import EMBEDDINGS, KNOWN, refuse_misspelt
from aboveboard.errors import BadInput

SOURCE = Path(__file__).parents[2] / "src" / "aboveboard"


@pytest.mark.parametrize(
    ("start", "name", "meant"),
    [
        (("serve", "lightdash", "--sandbox"), "ABOVEBOARD_SAFTY_MODE", "ABOVEBOARD_SAFETY_MODE"),
        (("tools", "lightdash"), "ABOVEBOARD_SAFTY_MODE", "ABOVEBOARD_SAFETY_MODE"),
        (("serve", "lightdash", "--sandbox"), "MCP_AUTH_ENABLE", "MCP_AUTH_ENABLED"),
        (("call", "lightdash", "list_projects", "--sandbox"), "ABOVEBOARD_EXCLUDES", "ABOVEBOARD_EXCLUDE"),
        (("doctor", "lightdash"), "LIGHTDASH_ALLOWED_PROJECT", "LIGHTDASH_ALLOWED_PROJECTS"),
        (("doctor", "lightdash"), "MCP_HTTP_ALLOWED_HOST", "MCP_HTTP_ALLOWED_HOSTS"),
    ],
)
def test_a_name_that_is_nearly_a_setting_is_refused_with_the_right_one(
    start: tuple[str, ...], name: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = in_process(*start, settings={name: "x"}, capsys=capsys)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"There is no setting {name}: did you mean {meant}?" in ended.stderr


def test_every_setting_is_known_and_what_others_set_is_left_alone() -> None:
    text = "".join(file.read_text("utf-8") for file in SOURCE.rglob("*.py") if file.name != "misspelt.py")
    names = set(re.findall(r"\b(?:ABOVEBOARD|LIGHTDASH|MCP|NEXTCLOUD)_[A-Z_]*[A-Z]\b", text))
    assert {one for one in names if not one.startswith(EMBEDDINGS)} == {*KNOWN}
    others = {"NEXTCLOUD_ADMIN_PASSWORD", "NEXTCLOUD_TRUSTED_DOMAINS", "LIGHTDASH_SECRET", "LIGHTDASH_PROJECT"}
    refuse_misspelt(dict.fromkeys(names | others, "x"))
    with pytest.raises(BadInput):
        refuse_misspelt({"MCP_HTTP_HOSTS": "x"})


@pytest.mark.parametrize("name", ["ABOVEBOARD_READ_ONLY", "ABOVEBOARD_MODE", "ABOVEBOARD_LOG"])
def test_a_name_that_only_we_would_read_is_refused_if_nobody_reads_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = in_process("doctor", "lightdash", settings={name: "x"}, capsys=capsys)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"There is no setting {name}" in ended.stderr


@pytest.mark.parametrize("command", [("doctor", "nextcloud"), ("call", "nextcloud", "nc_webdav_get_quota")])
def test_where_a_setting_is_missing_what_is_set_and_not_read_is_named(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"NEXTCLOUD_URL": "https://cloud.example.org", "NEXTCLOUD_PASSWORD": "x", "LIGHTDASH_HOST": "x"}
    ended = in_process(*command, settings=given, capsys=capsys)
    said = ended.stdout + ended.stderr
    assert ended.returncode != 0
    assert "NEXTCLOUD_HOST is not set" in said
    assert "NEXTCLOUD_URL is set, and not read." in said
    assert "LIGHTDASH_HOST" not in said


def test_what_others_set_is_no_matter_where_nothing_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    ended = in_process(
        "call", "nextcloud", "nc_webdav_get_quota", "--sandbox", settings={"NEXTCLOUD_URL": "x"}, capsys=capsys
    )
    assert (ended.returncode, ended.stderr) == (0, "")
