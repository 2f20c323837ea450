"""Several things done to one state of a sandbox, one instead of the other: what is arranged once serves them all.

arguments = await arrange(session, case, values)
for given in (arguments, shouted(arguments)):
    with undone(sandbox):
        answers.append(await session.call(case.tool, **given))
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress

from aboveboard.sandbox.backend import Backend


class _Undone(Exception):
    """Nothing went wrong: the change is only not wanted."""


@contextmanager
def undone(sandbox: Backend) -> Generator[None]:
    """Take back what is done to a sandbox in this context, its clock and its counters included."""
    with suppress(_Undone), sandbox._store.change():  # pyright: ignore[reportPrivateUsage]
        yield
        raise _Undone
