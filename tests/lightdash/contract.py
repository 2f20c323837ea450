"""Lightdash's published contract, which what our client sends and what our sandbox answers is held to."""

from typing import Final

import httpx2
from tests.contract import Contract
from tests.shared import SHARED

OPENAPI: Final = SHARED / "data" / "lightdash-openapi.json"

# What the document says of answers and the real product does not do; each is recorded.
OTHERWISE: Final = frozenset(
    {
        ".results[]: 'assigneeName' is a required property",  # roles: org-assignments/list
        ".results.spaces[].data: 'organizationUuid' is a required property",  # charts-as-code: upsert/new-space
    }
)
CONTRACT: Final = Contract("Lightdash", OPENAPI, otherwise=OTHERWISE)
check, route_of = CONTRACT.check, CONTRACT.route_of
wrong_request, wrong_answer = CONTRACT.wrong_request, CONTRACT.wrong_answer


def held(service: httpx2.AsyncBaseTransport) -> httpx2.AsyncBaseTransport:
    """Hold what passes to the contract. Only the sandbox says which version it is: what a test made up may be poor."""
    return CONTRACT.held(service, made_up=lambda answer: "lightdash-version" not in answer.headers)
