"""What every sandbox can do."""

from starlette.applications import Starlette

from aboveboard.sandbox.store import Store


class Backend:
    """A service, embedded: an application over a state that can be shown and thrown away."""

    app: Starlette

    def __init__(self, store: Store, app: Starlette) -> None:
        self._store, self.app = store, app

    def reset(self) -> None:
        """Go back to the first state; what is created afterwards gets the same ids and times again."""
        self._store.reset()

    def dump(self) -> dict[str, object]:
        """The state as flat facts, sorted by key; keys that start with "derived/" are no state of their own."""
        return self._store.dump()

    def close(self) -> None:
        """Let go of the database; one in memory is gone then."""
        self._store.close()
