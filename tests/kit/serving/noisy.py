"""A server whose tools misbehave: they print, start children that print, take forever, answer what no wire can carry.

Run as a program it serves on stdio; its argument is how many seconds open requests get when stdin closes.
"""

import os
import subprocess
import sys

import anyio
import mcp_types as mcp
from pydantic import BaseModel

from aboveboard.effects import READ
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.serving.stdio import serve_stdio
from aboveboard.kit.toolset import Toolset


class Nobody:
    """A client of nothing."""

    async def aclose(self) -> None:
        print("the client is closed", file=sys.stderr)  # noqa: T201 (what this server is for)


class Heard(BaseModel):
    """What a child read from its stdin."""

    text: str


tools = Toolset[Nobody]("noise", title="Noise", icon="M0 0")


@tools.tool("Print Loudly", READ, example=Heard(text=""))
async def print_loudly(_: Nobody) -> Heard:
    """Print, past every layer that Python has."""
    print("printed by a tool")  # noqa: T201
    sys.stdout.flush()
    os.write(1, b"written to descriptor 1\n")
    return Heard(text="")


@tools.tool("Start Child", READ, example=Heard(text=""))
async def start_child(_: Nobody) -> Heard:
    """Start a process that prints and reads what it inherits."""
    child = "import sys; print('printed by a child', flush=True); sys.stderr.write(repr(sys.stdin.read()) + '\\n')"
    subprocess.run([sys.executable, "-c", child], check=True)  # noqa: ASYNC221 (nobody waits)
    return Heard(text="")


@tools.tool("Take Forever", READ, example=Heard(text=""))
async def take_forever(_: Nobody) -> Heard:
    """Start, say so, and never end."""
    print("taking forever", file=sys.stderr, flush=True)  # noqa: T201
    await anyio.sleep_forever()
    return Heard(text="")


@tools.tool("Answer Half A Character", READ)
async def answer_half_a_character(_: Nobody) -> mcp.CallToolResult:
    """Answer text that UTF-8 cannot say."""
    return mcp.CallToolResult(content=[], structured_content={"text": "\ud83d"})


SERVICE = Service[Nobody](
    name="noisy", title="Noisy", prefix="", open_world=False, instructions="Stay away.", toolsets=[tools]
)

if __name__ == "__main__":
    catalogue = Catalogue(SERVICE, Policy())
    serve_stdio(build_server(catalogue, OneClient(Nobody())), patience=float(sys.argv[1]))
