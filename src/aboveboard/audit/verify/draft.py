"""A first plan, from the definitions alone: what a person has to complete is marked TODO.

It tries what a diligent author would: every value of every enum and flag, lists of several lengths, texts that match
and that do not, combinations of them, and each tool after another one on the same record; what does not fit into the
time that was given is left out, and named.
"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final, cast

import anyio
import yaml

from aboveboard.audit.evidence import Server, Tool
from aboveboard.audit.verify.budget import DraftCase, Pace, affordable
from aboveboard.audit.verify.exploring import Combination, combinations_for
from aboveboard.audit.verify.guarding import Refusal, allowing, promised_refusal, schema_refusals
from aboveboard.audit.verify.inventing import another
from aboveboard.audit.verify.pairing import Pair, pairs_for
from aboveboard.audit.verify.plan import Plan
from aboveboard.audit.verify.processes import guardian
from aboveboard.audit.verify.records import Records
from aboveboard.audit.verify.setup import ConnectOptions
from aboveboard.audit.verify.tables import TODO
from aboveboard.audit.verify.values import names_in
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.audit.words import plural
from aboveboard.errors import BadInput

BUDGET: Final = 300.0
"""How many seconds a drafted plan may take, where nobody says."""
_HEAD: Final = """\
# A first plan, drafted from the definitions of {count} of {name}. Complete what says TODO; then
#   aboveboard verify --plan {file}
# Every tool below will be called for real: use a backend whose data may be lost.
# {estimate}

server:
{server}
backend:
  # command: [TODO, --port, "${{port}}"]   # starts a backend for the run; left out, the one at url is used
  # url: http://127.0.0.1:${{port}}        # where it answers; in server.env, say ${{upstream}} instead
  # reset: POST /TODO                     # or {{command: [...]}}: brings back the first state
  # state: GET /TODO                      # or {{command: [...]}} that prints JSON, or {{read: [GET /things]}},
                                          # or {{tools: [{{call: list_things}}]}}, which is the weakest
  # state: [{{sqlite: app.db}}, {{files: data/}}]   # or redis, postgres: read and put back without a script
  {record}
# bookkeeping: ["**/updated_at"]          # counters, modification times and logs that do not count

marathon: true  # a tool that says it only reads is also called twenty times in one session
"""
_RANKS: Final = {1: "other value", 2: "refusal", 3: "combination", 4: "pair", 5: "pair"}
FETCHES: Final = frozenset(
    {"npx", "npm", "pnpm", "yarn", "bun", "bunx", "deno", "uv", "uvx", "pipx", "docker", "podman"}
)
"""Commands that may fetch what they run."""
GONE: Final = "the call before it may leave nothing to do"
WORDS: Final = "  # words that the answer must contain; if nothing is refused, delete the case"


def read_server(plan: Plan, options: ConnectOptions) -> Server:
    """Read the definitions; no tool is called."""
    return read_with_pace(plan, options)[0]


def read_with_pace(plan: Plan, options: ConnectOptions) -> tuple[Server, Pace]:
    """Read the definitions, and measure how fast the server is; no tool is called."""

    async def read() -> tuple[Server, Pace]:
        async with Workbench(plan, guardian(), options) as bench:
            begun = perf_counter()
            talk = await bench.talk()
            started = perf_counter()
            server = await talk.survey()
            return server, Pace(started - begun, perf_counter() - started)

    if not plan.server.command and not plan.server.url:
        raise BadInput("There is no server to read.", next_step="Give a TARGET, or a command after two dashes.")
    return anyio.run(read)


def draft(
    server: Server, plan: Plan, file: str = "plan.yaml", *, pace: Pace | None = None, budget: float = BUDGET
) -> str:
    """Write the plan."""
    pace = pace or Pace()
    records = Records(server.tools)
    said: dict[str, str] = {}
    kept, left = affordable(_cases(server.tools, records, said), pace, budget)
    launch: dict[str, Any] = {"command": list(plan.server.command)} if plan.server.command else {"url": plan.server.url}
    head = _HEAD.format(
        count=plural(len(server.tools), "tool"),
        name=server.name,
        file=shlex.quote(file),
        server=_indented(launch, 2),
        record=_record(plan.server.command),
        estimate=_estimate(kept, left, pace, budget),
    )
    used = {name for case in kept for name in names_in(case.written)}
    values = {name: value for name, value in records.values.items() if name in used | _arranging(records)}
    shared = _shared(values, records.arrangements, said)
    return head + shared + "\ntools:\n" + "".join(_tool(tool, kept, left) for tool in server.tools)


def _record(command: Sequence[str]) -> str:
    """Let requests be recorded, so that who reaches out is seen; a command that fetches packages needs a way out."""
    runs = Path(command[0]).stem if command else ""
    if not runs or runs in FETCHES:
        return (
            "# record: proxy                         # without a url: record whom it asks; nothing can be fetched then"
        )
    return "record: proxy                           # record whom it asks; with a url, take this line out"


def _arranging(records: Records) -> set[str]:
    return set(names_in(list(records.arrangements.values())))


def _shared(values: Mapping[str, Any], arrangements: Mapping[str, Any], said: Mapping[str, str]) -> str:
    """Write what several cases use: a person fills it in once."""
    told = ""
    if values:
        why = {name: f"  # {said[name]}" if name in said else "" for name in values}
        lines = "".join(f"  {name}: {value}{why[name]}\n" for name, value in values.items())
        told += f"\nvalues:  # from the first state of the backend: ids of records, and texts that stand there\n{lines}"
    if arrangements:
        told += f"\narrange:\n{_indented(arrangements, 2)}"
    return f"{told}  # TODO above: where the answer has the id\n" if TODO in str(arrangements) else told


def _estimate(kept: Sequence[DraftCase], left: Sequence[DraftCase], pace: Pace, budget: float) -> str:
    """Say how long it will take, how that is known, and what was left out for it."""
    seconds = sum(case.seconds(pace) for case in kept)
    told = (
        f"{plural(len(kept), 'case')}, about {_time(seconds)} with one job: a start took {pace.start:.2f} s,"
        f" a listing {pace.call:.3f} s;\n# what the tools themselves take is not known before they are called."
    )
    if left:
        more = plural(len(left), "more case")
        told += f"\n# {more} did not fit into {_time(budget)}, as is said below; --budget gives more."
    return told


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _tool(tool: Tool, kept: Sequence[DraftCase], left: Sequence[DraftCase]) -> str:
    text = _indented({tool.name: [case.written for case in kept if case.tool == tool.name]}, 2)
    text = text.replace(f"    refused: {TODO}\n", f"    refused: {TODO}{WORDS}\n")
    missing = Counter(_RANKS[case.rank] for case in left if case.tool == tool.name)
    told = ", ".join(plural(count, what) for what, count in missing.items())
    return text + (f"  # left out for the time: {told}\n" if told else "")


def _cases(tools: Sequence[Tool], records: Records, said: dict[str, str]) -> list[DraftCase]:
    """Write all cases that are worth a call, and note down why some values are asked for."""
    tried = {tool.name: combinations_for(tool, records) for tool in tools}
    known = {name: set(names_in(usual.arguments)) for name, (usual, *_) in tried.items()}
    found: list[DraftCase] = []
    for tool in tools:
        usual, *others = tried[tool.name]
        found.append(_case(tool, usual, records, 0))
        found += [_case(tool, one, records, 1 if len(one.unusual) == 1 else 3) for one in others]
        found += [_refusal(tool, one, records) for one in schema_refusals(tool, usual.arguments, records)]
        if guarded := promised_refusal(tool, usual.arguments, records):
            refusal, sentence = guarded
            found.append(_refusal(tool, refusal, records))
            asked = [name for name in names_in(refusal.arguments) if name not in names_in(usual.arguments)]
            said.update(dict.fromkeys(asked, f"which {tool.name} refuses: {sentence!r}"))
        found += [_again(tool, one, records) for one in pairs_for(tool, usual, others, records)]
        found += [_after(tool, usual, one, tried[one.name][0], records) for one in _partners(tool, tools, known)]
    return found


def _case(tool: Tool, one: Combination, records: Records, rank: int) -> DraftCase:
    after = records.needed(one.arguments)
    written = {
        **({"name": one.name} if one.name else {}),
        **({"after": after} if after else {}),
        "arguments": _differing(tool, one, records.arranged(one.arguments)),
        **({"may_fail": one.may_fail} if one.may_fail else {}),
    }
    return DraftCase(tool.name, written, len(after), rank)


def _refusal(tool: Tool, one: Refusal, records: Records) -> DraftCase:
    """Write a case that must be refused; what a person has to say comes before what may be left out."""
    after = records.needed(one.arguments)
    arguments = _differing(tool, Combination("", one.arguments), records.arranged(one.arguments))
    written = {"name": one.name, **({"after": after} if after else {}), "arguments": arguments, "refused": one.words}
    return DraftCase(tool.name, written, len(after), 2 if one.words is True else 1)


def _again(tool: Tool, pair: Pair, records: Records) -> DraftCase:
    """Write a case in which the tool itself has put there what it then meets: call with one value, measure another."""
    after = records.needed([pair.first, pair.then])
    written = {
        "name": pair.name,
        **({"after": after} if after else {}),
        "arrange": [{"call": tool.name, "arguments": pair.first}],
        "arguments": pair.then,
        "may_fail": GONE,
    }
    return DraftCase(tool.name, written, len(after) + 1, 4)


def _differing(tool: Tool, one: Combination, taken: Sequence[Any]) -> dict[str, Any]:
    """Give what is usual another value where it stands there already: writing the same again would change nothing."""
    return {
        name: value
        if name in one.unusual or [*names_in(value)]
        else another(value, taken, name, tool.parameters[name], tool.input_schema)
        for name, value in one.arguments.items()
    }


def _partners(tool: Tool, tools: Sequence[Tool], known: Mapping[str, set[str]]) -> list[Tool]:
    """Find the tools that can be called before this one on the same record."""
    return [one for one in tools if one is not tool and known[tool.name] & known[one.name]]


def _after(tool: Tool, usual: Combination, other: Tool, before: Combination, records: Records) -> DraftCase:
    """Write a case that calls another tool first, on the same record."""
    after = records.needed([usual.arguments, before.arguments])
    made = records.arranged([usual.arguments, before.arguments])
    first = {**_differing(other, before, made), **allowing(other)}
    written = {
        "name": f"after {other.name}",
        **({"after": after} if after else {}),
        "arrange": [{"call": other.name, "arguments": first}],
        "arguments": _differing(tool, usual, [*made, first]),
        **({} if other.name_reads else {"may_fail": GONE}),
    }
    return DraftCase(tool.name, written, len(after) + 1, 5 if other.declared("readOnlyHint") else 4)


def _indented(value: Any, by: int) -> str:
    text = yaml.dump(
        _plain(value), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


class _Plain(yaml.SafeDumper):
    """Writes a value as often as it occurs: an anchor would be a riddle to who completes the plan."""

    def ignore_aliases(self, data: Any) -> bool:
        """Say that nothing is an alias."""
        return True


def _plain(value: Any) -> Any:
    """Return plain dicts and lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast("list[Any]", value)]
    return value
