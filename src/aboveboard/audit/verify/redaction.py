"""Takes the values out of evidence and leaves what judging needs: which are equal, which are empty, which grew.

A text becomes a digest with a salt that is thrown away, so that nobody can try values out. A text that grew around the
one before it becomes digests around the earlier one; lists and objects keep their shape. Paths and field names stay.
"""

import hashlib
import json
import re
import secrets as randomness
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from aboveboard.audit.evidence import Behaviour, CallResult, Request, Server, ServerSession, Tool, Trial
from aboveboard.audit.facts import Facts, grew, same
from aboveboard.audit.judge import judge
from aboveboard.audit.report import Report
from aboveboard.audit.rule import Profile
from aboveboard.audit.rules import RULES
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.verify.reporting import without_repeats

HIDDEN: Final = "[hidden]"
SHORTEST: Final = 4
"""A secret shorter than this would hide half of every text."""
_SECRET: Final = re.compile(r"key|token|secret|passw|pwd|auth|credential|cookie|session", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”")
_TOKEN: Final = re.compile(r"(?=[^\s/]*\d)(?=[^\s/]*[A-Za-z])[A-Za-z0-9_+=.-]{20,}")


def without_secrets(text: str, secrets: Collection[str]) -> str:
    """Take secrets out of a text."""
    for one in sorted((one for one in secrets if len(one) >= SHORTEST), key=len, reverse=True):
        text = text.replace(one, HIDDEN)
    return text


def presentable(report: Report, secrets: Collection[str]) -> Report:
    """Return a report that shows values as they are, and no secret: it was judged before anything was hidden."""

    def clean(text: str) -> str:
        return without_secrets(text, secrets)

    return replace(
        report,
        servers=[replace(one, origin=clean(one.origin)) for one in report.servers],
        findings=[replace(one, message=clean(one.message)) for one in report.findings],
        ignored=[
            replace(one, finding=replace(one.finding, message=clean(one.finding.message))) for one in report.ignored
        ],
        verdicts=[
            replace(one, cause=clean(one.cause), arguments=[clean(line) for line in one.arguments])
            for one in report.verdicts
        ],
        noise=[clean(one) for one in report.noise],
        remarks=[clean(one) for one in report.remarks],
    )


def redact_proof(proof: Proof, secrets: Collection[str] = ()) -> Proof:
    """Return a proof that can be shown to others and is judged the same."""
    return _Redactor(secrets).proof(proof)


def veil_secrets(proof: Proof, secrets: Collection[str]) -> Proof:
    """Return a proof with its values, and without the secrets that stand in them."""
    return _Veil(secrets).proof(proof)


class _Redactor:
    """Knows the salt of one file, and the secrets that must stand nowhere in it."""

    def __init__(self, secrets: Collection[str]) -> None:
        self._salt = randomness.token_bytes(16)
        self._secrets = secrets

    def proof(self, proof: Proof) -> Proof:
        return replace(
            proof,
            servers=[self._server(one) for one in proof.servers],
            behaviours=[self._behaviour(one) for one in proof.behaviours],
            answers=(),
            found=[
                replace(one, message=self._said(one.message))
                for one in [*proof.found, *without_repeats(judge(proof.answers, list(Profile), RULES))]
            ],
            noise=[self.clean(one) for one in proof.noise],
            remarks=[self._said(one) for one in proof.remarks],
            ended=self._said(proof.ended),
        )

    def clean(self, text: str) -> str:
        """Take the secrets that are known out of a text."""
        return without_secrets(text, self._secrets)

    def _said(self, text: str) -> str:
        """Take out of a sentence of others what could be a value."""
        return _TOKEN.sub("…", _QUOTED.sub("'…'", self.clean(text)))

    def _server(self, server: Server) -> Server:
        session = server.session
        return replace(
            server,
            origin=self.clean(server.origin),
            session=ServerSession(
                session.server,
                [self._said(line) for line in session.stray],
                session.listings,
                session.read_only_mode,
                [self.clean(line) for line in session.writes],
            ),
        )

    def _behaviour(self, behaviour: Behaviour) -> Behaviour:
        trials = [self._trial(one) for one in behaviour.trials]
        refusals = [self._trial(one) for one in behaviour.refusals]
        unmade = [self._trial(one) for one in behaviour.unmade]
        return replace(
            behaviour, trials=trials, refusals=refusals, unmade=unmade, problem=self._said(behaviour.problem)
        )

    def _trial(self, trial: Trial) -> Trial:
        before = self._facts(trial.before, {}, {})
        after = self._facts(trial.after, trial.before, before)
        return replace(
            trial,
            before=self._named(before),
            after=self._named(after),
            again=None if trial.again is None else self._named(self._facts(trial.again, trial.after, after)),
            noise=[self.clean(one) for one in trial.noise],
            derived=[self.clean(one) for one in trial.derived],
            answer=None if trial.answer is None else self._outcome(trial.answer),
            requests=[self._request(one) for one in trial.requests],
            refused=[self._said(one) for one in trial.refused],
            unsaid=[self._said(one) for one in trial.unsaid],
            asked=None if trial.asked is None else [self.clean(one) for one in trial.asked],
            beyond=[self.clean(one) for one in trial.beyond],
            spared=[self.clean(one) for one in trial.spared],
            problem=self._said(trial.problem),
            arguments={name: self._argument(trial.tool, name, value) for name, value in trial.arguments.items()},
        )

    def _request(self, one: Request) -> Request:
        return replace(one, route=self.clean(one.route))

    def _named(self, facts: Facts) -> Facts:
        return {self.clean(path): value for path, value in facts.items()}

    def _facts(self, now: Facts, before: Facts, digests: Facts) -> dict[str, Any]:
        return {path: self._value(value, before.get(path), digests.get(path)) for path, value in now.items()}

    def _value(self, value: Any, before: Any, digest: Any) -> Any:
        """Digest a value; what it has of the one before it shows as the digest of that."""
        if value is None or isinstance(value, bool) or value in ("", [], {}):
            return value
        if before is not None and same(value, before):
            return digest
        if isinstance(value, Mapping):
            inner = cast("Mapping[str, Any]", value)
            old, old_digest = _mapping(before), _mapping(digest)
            return {key: self._value(one, old.get(key), old_digest.get(key)) for key, one in inner.items()}
        if isinstance(value, list):
            return [self._value(one, None, None) for one in cast("list[Any]", value)]
        if isinstance(value, str) and isinstance(before, str) and before and grew(before, value):
            head, _, tail = value.partition(before)
            return " ".join([*([self._digest(head)] if head else []), digest, *([self._digest(tail)] if tail else [])])
        return self._digest(value)

    def _digest(self, value: Any) -> str:
        told = json.dumps(value, sort_keys=True, default=repr).encode()
        return "#" + hashlib.blake2b(told, digest_size=5, key=self._salt).hexdigest()

    def _argument(self, tool: Tool, name: str, value: Any) -> Any:
        """Digest an argument, unless the definition itself names it."""
        schema = json.dumps(tool.parameters.get(name, {}).get("enum", []))
        return value if isinstance(value, str) and json.dumps(value) in schema else self._value(value, None, None)

    def _outcome(self, answer: CallResult) -> CallResult:
        """Keep of an answer whether it failed."""
        if answer.error is not None:
            return CallResult(answer.tool, error={"code": answer.error.get("code")})
        return CallResult(answer.tool, {"isError": True} if answer.failed else {})


class _Veil(_Redactor):
    """Keeps every value, and hides the secrets in them."""

    def proof(self, proof: Proof) -> Proof:
        return replace(super().proof(proof), answers=[self._outcome(one) for one in proof.answers], found=proof.found)

    def _said(self, text: str) -> str:
        return self.clean(text)

    def _value(self, value: Any, before: Any, digest: Any) -> Any:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, Mapping):
            return {key: self._value(one, None, None) for key, one in cast("Mapping[str, Any]", value).items()}
        if isinstance(value, list):
            return [self._value(one, None, None) for one in cast("list[Any]", value)]
        return value

    def _outcome(self, answer: CallResult) -> CallResult:
        return replace(
            answer,
            result=self._value(answer.result, None, None),
            arguments=self._value(answer.arguments, None, None),
            error=self._value(answer.error, None, None),
        )


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def secrets_of(table: Mapping[str, str]) -> set[str]:
    """Choose from an environment or from headers what is a secret by its name."""
    return {value for name, value in table.items() if _SECRET.search(name) and "${" not in value}
