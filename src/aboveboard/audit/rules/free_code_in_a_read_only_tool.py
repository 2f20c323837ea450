"""ANN14."""

import re
from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, READS, Schema, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity

_CODE = {
    *("sql", "cypher", "aql", "sparql", "kql", "statement", "mutation"),
    *("code", "script", "javascript", "python", "shell", "bash"),
}
_MAYBE = {"query", "command", "expression", "function", "cmd", "text", "input"}
_LANGUAGE = re.compile(
    r"\b(sql|cypher|graphql|sparql|javascript|typescript|python|bash|shell|powershell|php|ruby|lua|aql|gremlin)\b",
    re.IGNORECASE,
)
_RUNS = re.compile(r"\b(run|runs|execut|evaluat|eval)", re.IGNORECASE)
# What says that writing is refused, and not only that it is not meant.
_ENFORCED = re.compile(
    r"read[- ]only|\bonly (select|read)|\bselect (queries|statements|only)|\bselect\b[^.]*\bonly\b"
    r"|\bno (writes|ddl|dml)\b|\brefus|\breject|\brolled back|\bsandbox|\bnot allowed|\bdisallow",
    re.IGNORECASE,
)
# A place in code, or a language by its name, is no code.
_NAMED = re.compile(r"\b(uuid|slug)\b", re.IGNORECASE)  # which one is meant, and no code of its own
_ABOUT_CODE = re.compile(r"(^|_)(language|lang|country|status|error|postal|zip|currency|exit)(_|$)", re.IGNORECASE)


def _taking(name: str, description: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": "string", "description": description}}}


class FreeCodeInAReadOnlyTool(Rule[Tool]):
    """A tool that calls itself read-only runs code or a query that the caller writes: a suspicion.

    A description that says how writing is refused (a read-only connection, only SELECT) ends it.
    """

    id = "ANN14"
    severity = Severity.WARNING
    why = "SQL can delete and a script can do anything: the hint is true only if something refuses the writes."
    fix = "Run it where writing is impossible and say so in the description, or declare the worst case."
    bad = example("run_sql", "Run SQL on the database.", READS, inputSchema=_taking("sql", "The SQL to run."))
    good = example("run_sql", "Run SQL on the database.", DELETES, inputSchema=_taking("sql", "The SQL to run."))

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if not evidence.declared("readOnlyHint") or _ENFORCED.search(evidence.description):
            return
        for name, schema in evidence.parameters.items():
            if _is_code(evidence, name, schema):
                yield self.finding(
                    evidence.name,
                    f"may not be read-only: it runs what stands in {name} (a suspicion)",
                    hint="readOnlyHint",
                    parameter=name,
                )


def _is_code(tool: Tool, name: str, schema: Schema) -> bool:
    said = str(schema.get("description") or "")
    if schema.get("type") != "string" or "enum" in schema or _ENFORCED.search(said) or _ABOUT_CODE.search(name):
        return False
    if _NAMED.search(said):
        return False
    runs = _RUNS.search(f"{tool.name.replace('_', ' ')} {tool.description} {said}")
    parts = set(name.lower().replace("-", "_").split("_"))
    sure = bool(parts & _CODE)
    return bool(runs) and (sure or (bool(parts & _MAYBE) and bool(_LANGUAGE.search(f"{said} {tool.description}"))))
