"""When the person whom the provider knows and the one whom the service knows are the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aboveboard.errors import BadInput
from aboveboard.kit.people.adapter import Identity, SignInFailed

ID: Final = "id"
EMAIL: Final = "email"
WRONG: Final = (
    "ABOVEBOARD_OIDC_MATCH must say which claim of the provider is which part of an account, such as"
    " preferred_username=id or email=email."
)


@dataclass(frozen=True)
class Match:
    """A claim of the provider's, and what it must be equal to: the person's id at the service, or e-mail address."""

    claim: str
    field: str

    @classmethod
    def parse(cls, text: str) -> "Match":
        """Read it from a setting."""
        claim, _, field = (part.strip() for part in text.partition("="))
        if not claim or field not in (ID, EMAIL):
            raise BadInput(WRONG)
        return cls(claim, field)

    def told(self, claims: Mapping[str, Any]) -> str:
        """Return what the provider says; an e-mail address that it has not verified could be anybody's."""
        value = claims.get(self.claim)
        if not isinstance(value, str) or not value.strip():
            raise SignInFailed(f"Your identity provider does not tell this server your {self.claim}.")
        if self.claim == EMAIL and claims.get("email_verified") is not True:
            raise SignInFailed("Your identity provider has not verified your e-mail address.")
        return value

    def is_same(self, told: str, who: Identity) -> bool:
        """Tell whether both are one person; ids to the letter, e-mail addresses in small and capital letters alike."""
        if self.field == ID:
            return told == who.principal
        return who.email is not None and told.strip().casefold() == who.email.strip().casefold()

    def of(self, who: Identity) -> str:
        """Return what the service says, for the page on which both stand."""
        return who.principal if self.field == ID else who.email or who.name
