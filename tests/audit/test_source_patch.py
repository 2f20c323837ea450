"""Proposed hints as a patch of source code: applied, the code says them; what cannot be edited is told and left."""

import shutil
import subprocess
from pathlib import Path

import pytest

from aboveboard.audit.probe import source_files
from aboveboard.audit.source_patch import SourcePatch, source_patch

READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
PLAIN = "ToolAnnotations(readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False)"
OBJECT = "{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }"

GIT = shutil.which("git") or "git"

FORMS = {
    "a decorator without a call.py": ("@server.tool\ndef get_note(): ...", f"@server.tool(annotations={PLAIN})"),
    "a decorator without arguments.py": (
        "@server.tool()\nasync def get_note(): ...",
        f"@server.tool(annotations={PLAIN})",
    ),
    "a name and a title.py": (
        '@app.tool("get_note", title="Ünïcode")\ndef other(): ...',
        f'@app.tool("get_note", title="Ünïcode", annotations={PLAIN})',
    ),
    "many lines.py": (
        '@app.tool(\n    name="get_note",\n    title="x",\n)\ndef other(): ...',
        f'    title="x",\n    annotations={PLAIN},\n)',
    ),
    "one hint that is wrong.py": (
        "@app.tool(annotations=ToolAnnotations(title='x', readOnlyHint=False))\ndef get_note(): ...",
        "annotations=ToolAnnotations(title='x', readOnlyHint=True, destructiveHint=False, idempotentHint=True, "
        "openWorldHint=False)",
    ),
    "spelt as its neighbours.py": (
        "@app.tool(annotations=ToolAnnotations(read_only_hint=False))\ndef get_note(): ...",
        "ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)",
    ),
    "under another name.py": (
        "from mcp.types import ToolAnnotations as A\n@app.tool(annotations=A(readOnlyHint=False))\ndef get_note(): ...",
        "annotations=A(readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False)",
    ),
    "a dictionary.py": (
        "Tool(name='get_note', annotations={'readOnlyHint': False})",
        """{'readOnlyHint': True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}""",
    ),
    "a method under another name.py": (
        't = server.tool\n@t(title="x")\ndef get_note(): ...',
        f'@t(title="x", annotations={PLAIN})',
    ),
    "a method that is passed on.py": (
        "def register(server):\n    tool: Any = server.tool\n    @tool\n    def get_note(): ...",
        f"    @tool(annotations={PLAIN})",
    ),
    "add_tool under another name.py": (
        "def get_note(): ...\nadd = server.add_tool\nadd(get_note)",
        f"add(get_note, annotations={PLAIN})",
    ),
    "add_tool.py": (
        "def get_note(): ...\nserver.add_tool(get_note)",
        f"server.add_tool(get_note, annotations={PLAIN})",
    ),
    "types of the SDK.py": (
        "from mcp import types\ntypes.Tool(name='get_note')",
        f"types.Tool(name='get_note', annotations=types.{PLAIN})",
    ),
    "a text in brackets.py": (
        '@app.tool(\n    description=(\n        "a ("  # (\n        "b"\n    ),\n)\ndef get_note(): ...',
        f'        "b"\n    ),\n    annotations={PLAIN},\n)',
    ),
    "a comment where nothing is.py": (
        "@app.tool(  # nothing\n)\ndef get_note(): ...",
        f"@app.tool(  # nothing\nannotations={PLAIN})",
    ),
    "an import that may fail.py": (
        "try:\n    from mcp.types import ToolAnnotations\nfinally:\n    pass\n@app.tool()\ndef get_note(): ...",
        f"    pass\n@app.tool(annotations={PLAIN})",
    ),
    "an import at the end.py": (
        "@app.tool()\ndef get_note(): ...\nimport os\n",
        f"from mcp.types import ToolAnnotations\n\n@app.tool(annotations={PLAIN})",
    ),
    "what stands at the top.py": (
        "#!/usr/bin/python\n# coding: utf-8\n@app.tool()\ndef get_note(): ...",
        "#!/usr/bin/python\n# coding: utf-8\nfrom mcp.types import ToolAnnotations\n\n@app.tool(annotations=",
    ),
    "a comment behind the last.ts": (
        'server.registerTool("get_note", {\r\n\ttitle: `a ${b} {` // last }\r\n}, read);',
        f"\ttitle: `a ${{b}} {{`,\r\n\tannotations: {OBJECT} // last }}\r\n",
    ),
    "in JSX.jsx": (
        '<b>{server.registerTool("get_note", { title: "x" }, read)}</b>;',
        f"annotations: {OBJECT} }}, read)}}",
    ),
    "a parameter called title.ts": (
        'server.tool("get_note", "d", { title: z.string() }, read);',
        f"{{ title: z.string() }}, {OBJECT}, read);",
    ),
    "registerTool.ts": (
        'server.registerTool("get_note", { title: "x" }, async () => 1 as any);',
        f'{{ title: "x", annotations: {OBJECT} }}',
    ),
    "many lines.ts": (
        'server.registerTool("get_note", {\n  title: "ü",\n  inputSchema: {},\n}, read);',
        f"  inputSchema: {{}},\n  annotations: {OBJECT},\n}}",
    ),
    "hints that are wrong.mts": (
        "s.registerTool('get_note', { annotations: { ...rest, readOnlyHint: false } satisfies Hints }, read);",
        "{ ...rest, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }",
    ),
    "the short form.js": ('server.tool("get_note", "Reads.", { id }, read);', f"{{ id }}, {OBJECT}, read);"),
    "the short form with hints.js": (
        'server.tool("get_note", { readOnlyHint: false }, read);',
        "{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }, read);",
    ),
    "a listing.tsx": (
        "const tools = [{ name: `get_note`, description: 'x', inputSchema: {}, annotations: {} }]; <b/>;",
        f"annotations: {OBJECT} }}]",
    ),
}


def apply(found: SourcePatch) -> None:
    if found.diff:
        subprocess.run([GIT, "apply", "-"], input=found.diff.encode(), check=True)


def patched(folder: Path, files: dict[str, str], wanted: dict[str, dict[str, bool]]) -> tuple[SourcePatch, list[str]]:
    """Write the files, make the patch, apply it with git, and return what stands there then."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    found = source_patch(wanted, sorted(folder.iterdir()))
    apply(found)
    return found, [(folder / name).read_bytes().decode() for name in files]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_way_to_declare_a_tool_is_edited_in_place(folder: Path) -> None:
    wrong: dict[str, str] = {}
    for number, (name, (before, after)) in enumerate(FORMS.items()):
        own = folder / str(number)
        own.mkdir()
        (own / name).write_bytes(before.encode())
        found = source_patch({"get_note": READS}, [own / name])
        apply(found)
        now = (own / name).read_bytes().decode()
        if after not in now or list(found.placed) != ["get_note"]:
            wrong[name] = f"{now} {found.left}"
    assert wrong == {}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_import_goes_behind_the_others_and_a_second_patch_is_empty(folder: Path, newline: str) -> None:
    text = '"""A server."""\nimport os\nfrom mcp.server.fastmcp import FastMCP\n\n@app.tool()\ndef get_note(): ...\n'
    found, [now] = patched(folder, {"server.py": text.replace("\n", newline)}, {"get_note": READS})
    assert found.placed == {"get_note": f"{folder / 'server.py'}:5"}
    assert now.count("\n") == now.count(newline)
    assert now.splitlines()[2:4] == ["from mcp.server.fastmcp import FastMCP", "from mcp.types import ToolAnnotations"]
    again, _ = patched(folder, {}, {"get_note": READS})
    assert again.diff == ""
    assert again.placed.keys() == {"get_note"}


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (
            "a.py",
            "@app.tool(annotations=READS)\ndef get_note(): ...",
            "its hints are written elsewhere: annotations=READS",
        ),
        (
            "a.py",
            "Tool(name='get_note', annotations=ToolAnnotations(readOnlyHint=x))",
            "readOnlyHint is not written out: x",
        ),
        ("a.py", "Tool(name='get_note')\nTool(name='get_note')", "it is declared more than once in this file"),
        ("a.ts", "s.registerTool('get_note', options, read)", "what describes it is written elsewhere: options"),
        ("a.ts", "s.registerTool('get_note', { annotations: READS }, read)", "its hints are written elsewhere"),
        ("a.ts", "const other = 'get_note';", "its declaration was not found"),
        (
            "a.ts",
            "s.registerTool('get_note', { ...base }, read)",
            "what describes it is written elsewhere: { ...base }",
        ),
        ("a.ts", "s.registerTool('get_note', { annotations }, read)", "its hints are written elsewhere"),
        ("a.ts", "s.registerTool('get_note', { annotations() {} }, read)", "its hints are written elsewhere"),
        (
            "a.ts",
            "s.registerTool('get_note', { annotations: { readOnlyHint: false, ...more } }, read)",
            "its hints are written elsewhere",
        ),
        (
            "a.ts",
            "s.registerTool('get_note', { annotations: { ['readOnlyHint']: false } }, read)",
            "is not written out",
        ),
        ("a.ts", "s.tool('get_note', 'd', { id }, HINTS, read)", "which of its arguments are hints cannot be told"),
        ("a.ts", "s.tool('get_note', HINTS, read)", "which of its arguments are hints cannot be told: HINTS"),
        ("a.ts", "s.registerTool('get_note', { title: 'x', , f);", "something is wrong with its syntax"),
        ("a.ts", "const prompt = { name: 'get_note', description: 'd' };", "its declaration was not found"),
        ("a.ts", "for (const one of ['get_note']) s.registerTool(one, { title: one }, f);", "was not found"),
        ("a.py", "@app.tool(**options)\ndef get_note(): ...", "what it is given is written elsewhere"),
        ("a.py", "@app.tool(name=f'{A}note')\ndef get_note(): ...", "its declaration was not found"),
        ("a.py", "from langchain.tools import tool\n@tool\ndef get_note(): ...", "its declaration was not found"),
        ("a.py", f"x = {'-' * 9999}1\n@app.tool()\ndef get_note(): ...", "its declaration was not found"),
        ("a.py", "\ufeff@app.tool(title='x')\ndef get_note(): ...", "its declaration cannot be edited safely"),
        (
            "a.py",
            "from mcp.types import ToolAnnotations as A\nA = more(A)\nTool(name='get_note', annotations=A(title='x'))",
            "its hints are written elsewhere: annotations=A(title='x')",
        ),
        ("a.py", "t = app.tool\nt = other\n@t()\ndef get_note(): ...", "its declaration was not found"),
        ("a.py", "t = app.tool\ndef f(t):\n    @t()\n    def get_note(): ...", "its declaration was not found"),
        ("a.py", "t = app.resource\n@t()\ndef get_note(): ...", "its declaration was not found"),
        ("a.py", "def get_note(:", "its declaration was not found"),
    ],
)
def test_what_is_not_written_out_is_left_with_the_reason(folder: Path, name: str, text: str, why: str) -> None:
    found, [now] = patched(folder, {name: text}, {"get_note": READS})
    assert (found.diff, found.placed, now) == ("", {}, text)
    assert why in found.left["get_note"]


def test_several_tools_of_one_file_are_one_diff(folder: Path) -> None:
    text = "\n".join(f"@app.tool()\ndef tool_{number}(): ...\n" for number in range(40))
    found, [now] = patched(folder, {"server.py": text}, {f"tool_{number}": READS for number in range(40)})
    assert len(found.placed) == 40
    assert now.count("annotations=ToolAnnotations(") == 40
    assert now.count("import ToolAnnotations") == 1


def test_a_tool_that_two_files_declare_is_left_to_a_person_and_tests_are_no_declarations(folder: Path) -> None:
    text = "@app.tool()\ndef get_note(): ...\n"
    found, _ = patched(folder, {"a.py": text, "b.py": text}, {"get_note": READS})
    assert (found.diff, found.placed) == ("", {})
    assert "it is declared in more than one file" in found.left["get_note"]
    for name in ("a.py", "notes.test.ts", "notes.d.ts", "test_notes.py", "b.ts"):
        (folder / name).write_text("", encoding="utf-8")
    (folder / "__tests__").mkdir()
    (folder / "__tests__" / "c.ts").write_text("", encoding="utf-8")
    assert [one.name for one in source_files(folder)] == ["a.py", "b.py", "b.ts"]
