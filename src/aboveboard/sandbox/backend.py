"""What every sandbox can do."""

from collections.abc import Mapping
from secrets import token_urlsafe

from aboveboard.sandbox.app import Control, Service, build
from aboveboard.sandbox.store import Store


class Backend:
    """A service, embedded: an application over a state that can be shown and thrown away."""

    def __init__(
        self,
        store: Store,
        service: Service,
        control: str | None,
        *,
        controls: Mapping[tuple[str, str], Control] | None = None,
        charset: str = "latin-1",
    ) -> None:
        self._store = store
        self.control = control or token_urlsafe()
        self.app = build(service, store, self.control, controls=controls, charset=charset)

    def reset(self, to: Store | None = None) -> None:
        """Go back to the first state, or to a copy; what is created afterwards gets the same ids and times again."""
        self._store.reset(to)

    def copy(self) -> Store:
        """A copy of the state, to which `reset` brings this sandbox or another one of the same service."""
        return self._store.copy()

    def dump(self) -> dict[str, object]:
        """The state as flat facts, sorted by key; keys that start with "derived/" are no state of their own."""
        return self._store.dump()

    def close(self) -> None:
        """Let go of the database; one in memory is gone then."""
        self._store.close()
