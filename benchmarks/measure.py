"""The measurements. Floor and ours take turns within each, so that a busy machine is busy for both."""

import json
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from benchmarks.clients import Client, HttpClient, StdioClient
from benchmarks.messages import LEGACY, MODERN
from benchmarks.process import Process, free_port, running
from benchmarks.subjects import PROOF, STARTING, SUBJECTS, Subject

WIRES: Final = ("stdio", "HTTP legacy", "HTTP modern")
IN_FLIGHT: Final = (1, 16)

Figures = dict[str, float]
"""What was measured of one server, by the name of the measure."""


@dataclass(frozen=True)
class Effort:
    """How much to measure."""

    starts: int
    rounds: int
    calls: int
    """Calls per round."""


@dataclass
class Samples:
    """Everything seen so far; a figure is the median of its samples."""

    _seen: dict[str, dict[str, list[float]]] = field(default_factory=dict[str, dict[str, list[float]]])

    def add(self, subject: Subject, measure: str, value: float) -> None:
        """Add one sample."""
        self._seen.setdefault(subject.name, {}).setdefault(measure, []).append(value)

    def figures(self, subject: Subject) -> Figures:
        """Return the medians of one server."""
        return {measure: median(values) for measure, values in self._seen[subject.name].items()}


def measure(environment: Mapping[str, str], effort: Effort) -> Samples:
    """Measure both servers."""
    samples = Samples()
    _starts(samples, environment, effort)
    for wire in WIRES:
        _calls(samples, environment, wire, effort)
    return samples


def _definitions(samples: Samples, subject: Subject, listed: dict[str, Any]) -> None:
    """Count the bytes of name, description and input schema of a tool, and those of the whole answer."""
    tools: list[dict[str, Any]] = listed["tools"]
    shown = [len(f"{tool['name']}{tool['description']}".encode()) + _size(tool["inputSchema"]) for tool in tools]
    samples.add(subject, "tools", len(tools))
    samples.add(subject, "definition bytes per tool", sum(shown) / len(tools))
    samples.add(subject, "tools/list, bytes per tool", _size(listed) / len(tools))


def _starts(samples: Samples, environment: Mapping[str, str], effort: Effort) -> None:
    for number in range(effort.starts + 1):
        for wire in WIRES[:2]:
            for subject in _in_turn(number, STARTING):
                started = time.perf_counter()
                with _connected(subject, environment, wire) as (process, client):
                    listed = client.list_tools()
                    wall, cpu = time.perf_counter() - started, process.cpu()
                    if number == 0:  # the first start may compile; it is not a sample
                        _definitions(samples, subject, listed)
                        continue
                    samples.add(subject, f"start, {wire}, ms", wall * 1000)
                    samples.add(subject, f"start, {wire}, CPU ms", cpu * 1000)
                    if subject.tool is None:
                        continue
                    client.calls(subject.tool, 1, 1, PROOF)
                    samples.add(subject, f"start to first answer, {wire}, CPU ms", process.cpu() * 1000)


def _calls(samples: Samples, environment: Mapping[str, str], wire: str, effort: Effort) -> None:
    with ExitStack() as stack:
        connected = {subject.name: stack.enter_context(_connected(subject, environment, wire)) for subject in SUBJECTS}
        for number in range(effort.rounds + 1):
            for in_flight in IN_FLIGHT:
                for subject in _in_turn(number, SUBJECTS):
                    process, client = connected[subject.name]
                    cpu, started = process.cpu(), time.perf_counter()
                    client.calls(subject.tool or "", effort.calls, in_flight, PROOF)
                    wall, cpu = time.perf_counter() - started, process.cpu() - cpu
                    if number == 0:  # the first round opens connections and fills caches
                        continue
                    samples.add(subject, f"{wire}, {in_flight} in flight, CPU ms per call", cpu / effort.calls * 1000)
                    samples.add(subject, f"{wire}, {in_flight} in flight, calls per second", effort.calls / wall)
        for subject in SUBJECTS:
            samples.add(subject, f"RSS, {wire}, MB", connected[subject.name][0].rss())


@contextmanager
def _connected(subject: Subject, environment: Mapping[str, str], wire: str) -> Generator[tuple[Process, Client]]:
    port = free_port()
    command = subject.stdio if wire == "stdio" else (*subject.http, str(port))
    with running(command, environment) as process:
        if wire == "stdio":
            client: Client = StdioClient(process)
        else:
            process.await_port(port)
            client = HttpClient(port, MODERN if wire == "HTTP modern" else LEGACY)
        yield process, client


def _in_turn(number: int, subjects: tuple[Subject, ...]) -> tuple[Subject, ...]:
    return subjects if number % 2 else tuple(reversed(subjects))


def _size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
