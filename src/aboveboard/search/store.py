"""What an engine offers: a store of indexes, one for each person and identity; SQLite and PostgreSQL do the same."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from aboveboard.search.entries import (
    Candidates,
    Entry,
    Known,
    Located,
    Passage,
    SourceState,
    Stored,
    Vector,
    Where,
)


class Index(Protocol):
    """The index of one person under one identity; whatever writes is one transaction, from whatever thread."""

    identity: str

    def write(
        self, source: str, entry: Entry, text: str, passages: Sequence[Passage], problem: str | None = None
    ) -> None:
        """Put a document in the place of what was known of it, whole or not at all."""
        ...

    def hide(self, source: str, keys: Collection[str]) -> None:
        """Show these no longer; they come back by being written, and go for good by being forgotten."""
        ...

    def show(self, source: str, keys: Collection[str]) -> None:
        """Show again what was hidden."""
        ...

    def forget(self, source: str, keys: Collection[str]) -> None:
        """Delete documents."""
        ...

    def known(self, source: str) -> Mapping[str, Known]:
        """Return what is known of every document of a source, by its key."""
        ...

    def stored(self, source: str, key: str) -> Stored | None:
        """Return a document with its text, unless it is hidden or could not be read."""
        ...

    def mark(self, source: str) -> str | None:
        """Return what the source wants to be told at its next listing."""
        ...

    def progress(self, source: str, waiting: int) -> None:
        """Note how many documents of a listing are not indexed yet."""
        ...

    def finish(self, source: str, mark: str | None, when: float) -> None:
        """Note that all of a complete listing is indexed."""
        ...

    def claim(self, now: float, until: float) -> bool:
        """Take on to bring it up to date; of all who try, in all processes, one is told that it may, until then."""
        ...

    def find(self, words: Sequence[str], vector: Vector | None, where: Where, depth: int) -> Candidates:
        """Return the passages that are best by words, and those that are best by meaning, up to `depth` of each."""
        ...

    def located(self, passages: Collection[int]) -> Mapping[int, Located]:
        """Return where passages are."""
        ...

    def vectors(self, source: str, key: str) -> Sequence[Vector]:
        """Return the directions of a document's passages."""
        ...

    def states(self) -> Sequence[SourceState]:
        """Tell how far each source is."""
        ...

    @property
    def is_complete(self) -> bool:
        """Tell whether it once held everything: from then on it is the one that is searched."""
        ...

    def complete(self) -> None:
        """Note that it holds everything."""
        ...


class Store(Protocol):
    """Where indexes are kept."""

    def open(self, person: str, identity: str) -> Index:
        """Open the index of a person, which may be new and empty."""
        ...

    def older(self, person: str, identity: str) -> Index | None:
        """Return a complete index of the person under another identity, if there is one."""
        ...

    def has(self, person: str) -> bool:
        """Tell whether a person has any index."""
        ...

    def retire(self, person: str, identity: str) -> None:
        """Delete the person's indexes of all other identities."""
        ...

    def erase(self, person: str) -> None:
        """Delete all that is kept of a person."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
