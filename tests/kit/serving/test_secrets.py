"""Whatever happens, no secret appears in anything that a server writes, logs or answers."""

from pathlib import Path
from signal import SIGTERM

from starlette.types import Receive, Scope, Send
from tests.kit.serving.exchange import fetch, in_session, initialize, modern, modern_call
from tests.kit.serving.processes import MAIN, SERVE, call, greet, request, serving, started
from tests.kit.serving.upstream import in_thread, nobody, settings_for

TOKEN = "ldpat_secret-of-lightdash-77aa"
KEY = "secret-of-the-server-88bb"
SECRETS = (TOKEN, KEY)

PREFIX = "lightdash_tools__"
Said = tuple[int, str, dict[str, str]]
TROUBLE: dict[str, Said] = {
    "/api/v1/org/projects": (200, '{"status": "ok", "results": []}', {}),
    f"/api/v1/projects/{MAIN}": (401, '{"status": "error", "error": {"message": "Who is ApiKey %s?"}}', {}),
    f"/api/v1/projects/{MAIN}/spaces": (500, '{"status": "error", "error": {"message": "%s %s crashed"}}', {}),
    "/api/v1/saved/refused": (403, '{"status": "error", "error": "%s may not"}', {}),
    "/api/v1/saved/page": (200, "<html>%s</html>", {"content-type": "text/html"}),
    "/api/v1/saved/nonsense": (200, '{"status": "ok", "results": {"uuid": ["%s"]}}', {}),
    "/api/v1/saved/crash": (200, "[" * 200_000, {}),
    "/api/v1/saved/elsewhere": (302, "", {"location": "http://elsewhere.example/?token=%s"}),
    "/api/v1/saved/circle": (302, "", {"location": "/api/v1/saved/circle?token=%s"}),
    "/api/v1/saved/broken": (200, "", {"content-length": "5"}),
}
UNKNOWN: Said = (404, '{"status": "error", "error": {"message": "%s not found"}}', {})
CALLS: list[tuple[str, dict[str, object]]] = [
    ("list_projects", {}),
    ("get_project", {"project_uuid": MAIN}),
    ("create_space", {"project_uuid": MAIN, "name": TOKEN}),
    *(("get_chart", {"chart": path.rpartition("/")[2]}) for path in TROUBLE if "/saved/" in path),
    ("get_chart", {"chart": "no-such-chart"}),
    ("get_chart", {"chart": "../.."}),
    ("get_chart", {"wrong": KEY}),
    ("list_projects", {"limit": TOKEN}),
    ("no_such_tool", {}),
]


async def talkative(scope: Scope, receive: Receive, send: Send) -> None:
    """A Lightdash that repeats the caller's credentials in all it says."""
    if scope["type"] != "http":
        return
    status, body, headers = TROUBLE.get(scope["path"], UNKNOWN)
    raw = {b"content-type": b"application/json", b"x-token": TOKEN.encode()}
    raw |= {name.encode(): value.replace("%s", TOKEN).encode() for name, value in headers.items()}
    await send({"type": "http.response.start", "status": status, "headers": list(raw.items())})
    await send({"type": "http.response.body", "body": body.replace("%s", TOKEN).encode()})


def assert_no_secret_in(texts: dict[str, str]) -> None:
    for where, text in texts.items():
        assert text, f"nothing was written to {where}"
        for secret in SECRETS:
            assert secret not in text, f"{where}: ...{text[max(0, text.index(secret) - 200) :][:400]}..."


def test_no_answer_log_or_audit_line_of_a_web_server_holds_a_secret(tmp_path: Path) -> None:
    audit = tmp_path / "audit.ndjson"
    key = {"authorization": f"Bearer {KEY}"}
    with in_thread(talkative) as lightdash:
        settings = {**settings_for(lightdash.url, TOKEN), "MCP_AUTH_ENABLED": "1", "MCP_API_KEY": KEY}
        with serving("--audit-log", str(audit), settings=settings) as web:
            session = initialize(web.mcp, key).headers["mcp-session-id"]
            answers = [
                fetch("GET", f"{web.base}/readyz"),
                initialize(web.mcp, {"authorization": f"Bearer {KEY}x"}),
                initialize(web.mcp, {"x-api-key": KEY[:-1]}),
                fetch("GET", f"{web.base}/nothing", {"authorization": f"Basic {KEY}"}),
                initialize(web.mcp, {**key, "host": "evil.example"}),
                initialize(web.mcp, {**key, "origin": "http://evil.example"}),
                fetch("POST", web.mcp, {**key, "content-type": "text/plain"}, "{"),
                modern(web.mcp, "no/such/method", headers=key),
                fetch(
                    "POST", web.mcp, {**key, **in_session(session)}, call(1, f"{PREFIX}get_project", project_uuid=MAIN)
                ),
                fetch("POST", web.mcp, in_session(session), call(2, f"{PREFIX}list_projects")),
                *(modern_call(web.mcp, PREFIX + tool, arguments, key) for tool, arguments in CALLS),
            ]
            web.process.signal(SIGTERM)
            assert web.process.exit_code() == 0
    said = "\n".join(f"{answer.status_code} {answer.headers} {answer.text}" for answer in answers)
    assert_no_secret_in({"answers": said, "stderr": web.process.stderr.text, "audit": audit.read_text()})
    assert said.count("[secret]") >= 5  # Lightdash did say it
    assert web.process.wire.bytes == b""
    assert audit.stat().st_mode & 0o077 == 0


def test_no_answer_or_log_line_of_a_stdio_server_holds_a_secret() -> None:
    with in_thread(talkative) as lightdash:
        settings = {**settings_for(lightdash.url, TOKEN), "MCP_API_KEY": KEY}
        with started((*SERVE, "--audit-log", "-"), settings) as process:
            greet(process)
            process.send(*(call(number, PREFIX + tool, **given) for number, (tool, given) in enumerate(CALLS, 1)))
            process.send(f"{KEY} is no JSON".encode(), request(99, "no/such/method"))
            process.wire.wait_for_lines(2 + len(CALLS))
            process.close_stdin()
            assert process.exit_code() == 0
    assert_no_secret_in({"stdout": process.wire.text, "stderr": process.stderr.text})


def test_no_refusal_to_start_holds_a_secret() -> None:
    with nobody() as url:
        wrong = {"LIGHTDASH_URL": url.replace("//", f"//user:{KEY}@"), "LIGHTDASH_API_KEY": f"{TOKEN} {TOKEN}"}
        with started(SERVE, {**wrong, "MCP_API_KEY": KEY}) as process:
            assert process.exit_code() == 2
    assert_no_secret_in({"stderr": process.stderr.text})
