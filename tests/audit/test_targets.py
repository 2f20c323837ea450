"""What a target can be, and how clients' configurations are read."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.audit.corpus import ROOT
from tests.audit.liars.stage import GET, LIST

from aboveboard.audit.evidence import Server
from aboveboard.audit.probe import Address, Command, Options, Unreadable, UnreadServer, baseline, read_all, targets
from aboveboard.audit.probe.files import saved_text

SERVER = [sys.executable, "-m", "tests.audit.liars.honest_plain"]


def written(folder: Path, name: str, content: Any) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(file)


def test_our_own_servers_are_started_as_processes_of_their_own() -> None:
    (target,) = targets("lightdash", Options())
    assert isinstance(target, Command)
    assert target.argv == (sys.executable, "-m", "aboveboard", "serve", "lightdash", "--sandbox")


def test_every_server_in_the_configuration_of_claude_desktop_is_read(tmp_path: Path) -> None:
    entry = {"command": SERVER[0], "args": SERVER[1:], "cwd": str(ROOT), "env": {"NOTES": "1"}}
    config = {"mcpServers": {"notes": entry, "copy": entry, "off": {**entry, "disabled": True}}}
    found = read_all(targets(written(tmp_path, "claude_desktop_config.json", config), Options()), Options())
    assert [(one.name, len(one.tools)) for one in found if isinstance(one, Server)] == [("notes", 4), ("copy", 4)]


def test_the_configuration_of_vs_code_may_have_comments_inputs_and_folders(tmp_path: Path) -> None:
    config = """
    {
      // the servers of this "workspace"
      "inputs": [
        {"id": "key", "type": "promptString", "description": "API key", "password": true},
        {"id": "region", "type": "pickString", "default": "eu"}
      ],
      "servers": {
        "local": {"type": "stdio", "command": "${workspaceFolder}/bin/run", "args": ["--key", "${input:key}", "a//b"]},
        "remote": {"type": "http", "url": "https://${input:region}.example.com/mcp",
                   "headers": {"X-Key": "${input:key}"}},
        /* the next one asks for nothing, */
        "plain": {"url": "http://127.0.0.1:9/mcp"},
      },
    }
    """
    file = written(tmp_path, ".vscode/mcp.json", config)
    local, remote, plain = targets(file, Options(inputs={"key": "k-1"}))
    assert local == Command((f"{tmp_path.resolve()}/bin/run", "--key", "k-1", "a//b"), "local")
    assert remote == Address("https://eu.example.com/mcp", "remote", {"X-Key": "k-1"})
    assert plain == Address("http://127.0.0.1:9/mcp", "plain")
    refused = [one for one in targets(file, Options()) if isinstance(one, UnreadServer)]
    assert [one.name for one in refused] == ["local", "remote"]
    assert refused[0].problem == "It needs the input 'key' (API key). Pass --input key=VALUE."


def test_the_environment_fills_in_what_cursor_and_claude_code_leave_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTES_URL", "https://notes.example.com")
    monkeypatch.delenv("NOTES_TOKEN", raising=False)
    config = {
        "mcpServers": {
            "one": {"url": "${env:NOTES_URL}/mcp"},
            "two": {"url": "${NOTES_URL}/mcp/${NOTES_KIND:-all}"},
            "three": {"url": "https://x.example.com", "headers": {"Authorization": "Bearer ${env:NOTES_TOKEN}"}},
            "four": {"note": "no command"},
        }
    }
    one, two, three, four = targets(written(tmp_path, "mcp.json", config), Options())
    assert isinstance(one, Address)
    assert one.url == "https://notes.example.com/mcp"
    assert isinstance(two, Address)
    assert two.url == "https://notes.example.com/mcp/all"
    assert three == UnreadServer(
        "three", "It needs the environment variable NOTES_TOKEN. Set NOTES_TOKEN and try again."
    )
    assert four == UnreadServer("four", "Its entry has neither a command nor a url.")


def test_vs_codes_settings_are_read_too(tmp_path: Path) -> None:
    config = {"editor.fontSize": 12, "mcp": {"servers": {"notes": {"command": "notes"}}}}
    assert targets(written(tmp_path, "settings.json", config), Options()) == [Command(("notes",), "notes")]


@pytest.mark.parametrize(
    "document",
    [{"tools": [GET, LIST]}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": [GET, LIST]}}, [GET, LIST]],
    ids=["result", "answer", "list"],
)
def test_a_saved_answer_is_read_in_any_of_its_forms(tmp_path: Path, document: Any) -> None:
    (server,) = targets(written(tmp_path, "notes.json", document), Options())
    assert isinstance(server, Server)
    assert (server.name, [tool.name for tool in server.tools]) == ("notes", ["get_note", "list_notes"])


def test_what_is_saved_is_read_back_as_it_was_with_keys_written_twice(tmp_path: Path) -> None:
    text = '{"tools": [{"name": "a", "annotations": {"readOnlyHint": true, "readOnlyHint": "no"}}], "server": "twice"}'
    (server,) = targets(written(tmp_path, "one.json", text), Options())
    assert isinstance(server, Server)
    (again,) = baseline(Path(written(tmp_path, "two.json", saved_text([server]))))
    assert again.name == "twice"
    assert again.tools[0].repeated == {"readOnlyHint": [True, "no"]}
    both = baseline(Path(written(tmp_path, "three.json", saved_text([server, again]))))
    assert [one.name for one in both] == ["twice", "twice"]


def test_what_is_no_target_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="put it after two dashes: aboveboard audit -- npx"):
        targets("npx", Options())
    with pytest.raises(Unreadable, match="is not JSON"):
        targets(written(tmp_path, "a.json", "{"), Options())
    with pytest.raises(Unreadable, match="neither a list of tools nor servers"):
        targets(written(tmp_path, "b.json", {"hello": 1}), Options())
    (tmp_path / "c.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Unreadable, match="not UTF-8"):
        targets(str(tmp_path / "c.json"), Options())
    with pytest.raises(Unreadable, match="holds no list of tools"):
        baseline(Path(written(tmp_path, "d.json", {})))


def test_a_targets_secrets_are_not_in_its_words() -> None:
    target = Command(
        ("/usr/bin/npx", "notes", "--api-key", "s3cr3t", "TOKEN=abc", "--user", "me"), environment={"A": "b"}
    )
    assert "'b'" not in repr(target)
    (found,) = read_all([target], Options(timeout=0.2))
    assert "s3cr3t" not in repr(found)
    assert "abc" not in repr(found)
