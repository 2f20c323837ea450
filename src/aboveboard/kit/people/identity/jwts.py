"""What a signed token says, once it is clear that the operator's provider signed it, for us, and that it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import jwt

from aboveboard.kit.people.identity.issuer import Issuer

LEEWAY: Final = 30.0
"""Seconds by which clocks may differ."""
ACCESS_TYPES: Final = frozenset({"at+jwt", "application/at+jwt", "jwt"})
"""Kinds of tokens that let somebody in; `JWT` says nothing, and is what many providers write."""
CLIENT_CLAIMS: Final = ("client_id", "azp", "cid", "appid")
"""Where providers say which client a token was issued to; the first is the standard's."""


class NotValid(Exception):
    """A token that is not worth anything here; the reason is fit to be told to who brought it."""


@dataclass(frozen=True)
class Bearer:
    """Who brings a token, by the provider's word."""

    subject: str
    client: str
    scopes: frozenset[str]
    expires: float


async def read_access(issuer: Issuer, token: str, audience: str, now: float) -> Bearer:
    """Return who brings an access token."""
    header, claims = await verify_token(issuer, token, audience, now)
    if str(header.get("typ", "jwt")).lower() not in ACCESS_TYPES:
        raise NotValid("it is not an access token")
    client = next((claims[name] for name in CLIENT_CLAIMS if claims.get(name)), None)
    if not isinstance(client, str):
        raise NotValid("it does not say to which client it was issued")
    return Bearer(subject_in(claims, issuer.subject), client, _scopes(claims), float(claims["exp"]))


def subject_in(claims: Mapping[str, Any], claim: str) -> str:
    """Return who is meant."""
    subject = claims.get(claim)
    if not isinstance(subject, str) or not subject:
        raise NotValid(f"it lacks {claim}")
    return subject


async def verify_token(
    issuer: Issuer, token: str, audience: str, now: float
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the header and the claims of a token that the provider signed for an audience and that holds now."""
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError:
        raise NotValid("it is not a signed token") from None
    key = await issuer.key(header)
    if key is None:
        raise NotValid("no key of the provider fits its signature")
    try:
        claims = jwt.decode(
            token,
            key,
            algorithms=[header["alg"]],
            audience=audience,
            issuer=issuer.address,
            # Time is told by the clock of the server, as everywhere.
            options={
                "require": ["iss", "aud", "sub", "exp"],
                "verify_exp": False,
                "verify_nbf": False,
                "verify_iat": False,
            },
        )
    except jwt.InvalidAudienceError:
        raise NotValid("it was issued for another audience") from None
    except jwt.InvalidIssuerError:
        raise NotValid("another provider issued it") from None
    except jwt.MissingRequiredClaimError as error:
        raise NotValid(f"it lacks {error.claim}") from None
    except jwt.PyJWTError:
        raise NotValid("its signature is wrong") from None
    _check_times(claims, now)
    return header, claims


def _check_times(claims: Mapping[str, Any], now: float) -> None:
    times = [claims["exp"], claims.get("nbf", 0)]
    if not all(isinstance(one, int | float) for one in times):
        raise NotValid("it does not say when it ends")
    if claims["exp"] + LEEWAY <= now:
        raise NotValid("it has expired")
    if claims.get("nbf", 0) - LEEWAY > now:
        raise NotValid("it does not hold yet")


def _scopes(claims: Mapping[str, Any]) -> frozenset[str]:
    told: Any = claims.get("scope") or claims.get("scp")
    words = told.split() if isinstance(told, str) else cast("list[Any]", told if isinstance(told, list) else [])
    return frozenset(map(str, words))
