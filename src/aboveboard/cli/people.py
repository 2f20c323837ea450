"""`aboveboard people`: who has signed in to a team's server, and how an operator ends or forgets them."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import anyio
import click

from aboveboard.audit.words import plural
from aboveboard.cli.answer import fitted_table
from aboveboard.cli.grouping import service_argument
from aboveboard.cli.options import Choice
from aboveboard.cli.people_options import store_options
from aboveboard.cli.terminal import harmless, room, table
from aboveboard.errors import BadInput, explain_unknown
from aboveboard.kit.people.settings import EXTRA, PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode

if TYPE_CHECKING:
    from aboveboard.kit.people.grants import Grant
    from aboveboard.kit.people.housekeeping import Rekeyed
    from aboveboard.kit.people.people import People

T = TypeVar("T")

COLUMNS: Final = ("person", "grant", "client", "may", "last used", "granted", "scopes")
"""What is listed of a grant; on a narrow terminal the last are left out."""


@click.group(name="people")
def command() -> None:
    """See who has signed in to a team's server, end a grant, forget a person, seal with a new key.

    The store and its keys are those of the server (ABOVEBOARD_STORE, ABOVEBOARD_STORE_KEYS), and so is the service.
    """


def _with_people(service: str, store: str, store_keys: str, work: "Callable[[People], Awaitable[T]]") -> T:
    """Open the store of a deployment and do something with it."""
    try:
        from aboveboard.kit.people.rights import Scopes
        from aboveboard.kit.people.serving import open_people
    except ModuleNotFoundError:
        raise BadInput(EXTRA) from None

    choice = Choice(service=service)
    settings = PeopleSettings(mode=SignInMode.CONNECT, store=store, store_keys=store_keys)
    _must_be_there("ABOVEBOARD_STORE", settings.store_address(service))
    _must_be_there("ABOVEBOARD_STORE_KEYS", str(settings.key_file(service)))

    async def run() -> T:
        people = open_people(choice.module.SERVICE, choice.sign_in(), settings, Scopes({}))
        try:
            return await work(people)
        finally:
            await people.sign_in.aclose()
            people.store.close()

    return anyio.run(run)


def _must_be_there(variable: str, place: str) -> None:
    """Refuse to make what only a server makes: an operator who forgot a setting would be told that nobody is there."""
    if "://" not in place and not Path(place).exists():
        raise BadInput(
            f"There is no file {place!r} ({variable}).", next_step="Give the same settings as the server has."
        )


async def _of(people: "People", person: str) -> "list[Grant]":
    """Return the grants of one person, who must be there."""
    every = await people.everyone()
    mine = [grant for grant in every if grant.principal == person]
    if not mine:
        known = sorted({grant.principal for grant in every})
        raise BadInput(explain_unknown("person", person, known, of="The store"))
    return mine


@command.command(name="list")
@service_argument
@store_options
def list_people(service: str, store: str, store_keys: str) -> None:
    """List people and what they granted."""

    async def work(people: "People") -> "Sequence[Grant]":
        return await people.everyone()

    grants = _with_people(service, store, store_keys, work)
    if not grants:
        click.echo("Nobody has access now.")
        return
    rows = [_row(grant) for grant in grants]
    if room() is None:  # a program reads it: nothing is cut
        click.echo(table(COLUMNS, rows))
    else:
        click.echo(fitted_table(COLUMNS, rows, plural(len(rows), "grant"), "a wider terminal, or a pipe, shows all"))


def _row(grant: "Grant") -> list[str]:
    may = "ended by the service" if grant.dead else grant.rights.mode.value
    shown = (
        grant.principal,
        grant.id,
        grant.client_name,
        may,
        _day(grant.used),
        _day(grant.created),
        grant.rights.text,
    )
    return [harmless(one) for one in shown]


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


@command.command()
@service_argument
@click.argument("person")
@click.option("--grant", help="Only this grant, by its id in the list; without it, all of the person's.")
@store_options
def end(service: str, person: str, grant: str | None, store: str, store_keys: str) -> None:
    """End what PERSON granted: tokens stop at once, and the credentials at the service are deleted."""

    async def work(people: "People") -> list[bool]:
        mine = await _of(people, person)
        chosen = [one for one in mine if grant in (None, one.id)]
        if not chosen:
            raise BadInput(explain_unknown("grant", str(grant), [one.id for one in mine], of=person))
        return [await people.end(one, "the operator ended it") for one in chosen]

    gone = _with_people(service, store, store_keys, work)
    click.echo(f"Ended {plural(len(gone), 'grant')} of {person}. {_at_the_service(gone)}")


def _at_the_service(gone: Sequence[bool]) -> str:
    """Say what became of the credentials that the grants lived on."""
    left = gone.count(False)
    if not left:
        return "Nothing of it is left at the service."
    return f"{plural(left, 'credential')} could not be deleted at the service: end what is left there."


@command.command()
@service_argument
@click.argument("person")
@store_options
def forget(service: str, person: str, store: str, store_keys: str) -> None:
    """Forget PERSON: delete all that is kept of them, their search index too, and their credentials at the service.

    The index is where the server has it: ABOVEBOARD_SEARCH_INDEX.
    """

    async def work(people: "People") -> Sequence[bool]:
        from aboveboard.kit.people.grants import person_of

        known = await people.store.read(lambda db: person_of(db, people.sign_in.instance, person))
        return await people.forget(known or (await _of(people, person))[0].person, person)

    gone = _with_people(service, store, store_keys, work)
    click.echo(f"Forgot {person}: nothing is kept here any more. {_at_the_service(gone)}")


@command.command()
@service_argument
@store_options
def rekey(service: str, store: str, store_keys: str) -> None:
    """Seal everything with the first key of the file; after that, the older lines can go."""

    async def work(people: "People") -> "Rekeyed":
        return await people.rekey()

    done = _with_people(service, store, store_keys, work)
    click.echo(f"Sealed {plural(done.sealed, 'credential')} with the first key.")
    if done.lost:
        click.echo(
            f"{plural(done.lost, 'credential')} can be opened with no key of the file: those people sign in again."
        )
