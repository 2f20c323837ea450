"""Fills a Nextcloud over its API with what the plan's cases expect: the same paths and texts as in the sandbox."""

import json
import secrets
from collections.abc import Mapping

from aboveboard.errors import BadInput
from aboveboard.nextcloud.seed.apps import fill_apps, publish_pages
from aboveboard.nextcloud.seed.calendars import fill_calendars, fill_contacts
from aboveboard.nextcloud.seed.files import fill_files
from aboveboard.nextcloud.seed.person import Person


def fill_nextcloud(url: str, environment: Mapping[str, str], seed: Mapping[str, str]) -> list[str]:
    """Fill an instance, and say what was put there; `seed` names an administrator, who makes the second person."""
    user, password = _needed(environment, "NEXTCLOUD_USERNAME"), _needed(environment, "NEXTCLOUD_PASSWORD")
    boss, boss_password = _needed(seed, "admin"), _needed(seed, "password")
    bob_password = secrets.token_urlsafe(24)
    with Person(url, boss, boss_password) as admin:
        admin.make_user("bob", bob_password, "team")
        admin.mail_of("bob")
        mail = admin.mail_of(user)
    with Person(url, user, password) as one, Person(url, "bob", bob_password) as bob:
        told = ["the account bob, with a password that nobody knows, and the group team"]
        told += fill_files(one, bob)
        told += fill_calendars(one, bob, mail)
        told += fill_contacts(one)
        told += fill_apps(one)
        pages = json.dumps(publish_pages(one))
        return [*told, "what Nextcloud fetches in the plan; add to `values` in the backend file:", f"values: {pages}"]


def _needed(table: Mapping[str, str], name: str) -> str:
    if not table.get(name):
        where = "env" if name.isupper() else "seed"
        raise BadInput(f"The seed needs {name}: give it under `{where}` of the backend file.")
    return str(table[name])
