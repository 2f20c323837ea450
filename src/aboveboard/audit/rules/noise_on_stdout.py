"""PRO01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ServerSession
from aboveboard.audit.rule import Finding, Rule


class NoiseOnStdout(Rule[ServerSession]):
    """A server on stdio writes lines to stdout that are not JSON-RPC."""

    id = "PRO01"
    why = "stdout is the protocol: some clients stop at the first such line, others show an error for each."
    fix = "Send logs and banners to stderr, those of libraries and child processes included."
    bad = ServerSession("notes", stray=["at start: Loading the index..."])
    good = ServerSession("notes")

    def check(self, evidence: ServerSession) -> Iterator[Finding]:
        if evidence.stray:
            count = len(evidence.stray)
            lines = "1 line to stdout that is" if count == 1 else f"{count} lines to stdout that are"
            yield self.finding(None, f"wrote {lines} not JSON-RPC, {evidence.stray[0][:80]!r}")
