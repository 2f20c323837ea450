"""Files, notes, versions, comments, tags and shares."""

import secrets
from time import time
from typing import Final

from aboveboard.nextcloud.sandbox.files.pictures import pdf, png
from aboveboard.nextcloud.sandbox.seed.seed_texts import DOCUMENTS, NOTES
from aboveboard.nextcloud.seed.person import GROUP, LINK, MAIL, READ_AND_SHARE, USER, Person

PLAN: Final = "Documents/plan.md"
VERSIONS: Final = ("# Plan\n\nFirst draft.\n", "# Plan\n\n1. Measure\n", "# Plan\n\n1. Measure\n2. Cut\n")
DAYS: Final = 24 * 3600


def fill_files(one: Person, bob: Person) -> list[str]:
    """Write the files, and share them with each other."""
    for path, text in DOCUMENTS.items():
        one.write(path, text)
    for path, text in NOTES.items():
        one.write(f"Notes/{path}.md", text)
    one.write("Documents/report.pdf", pdf("Quarterly report"))
    one.write("Photos/sunset.png", png(24, 16))
    _plan(one)
    bob.write("Diary.md", "Nobody else reads this.\n")
    bob.write("Holiday/packing list.txt", "Tent\nStove\n")
    _shares(one, bob)
    return [
        f"files, notes, versions, comments and tags of {one.name}",
        f"shares of {one.name}, and one that bob made for {one.name}",
    ]


def _plan(one: Person) -> None:
    """Write the file that has all there is to lose; its versions are weeks apart, as Nextcloud thins out close ones."""
    if not one.holds(PLAN, VERSIONS[-1].encode()):
        for age, text in zip((120, 80), VERSIONS[:-1], strict=True):
            one.write(PLAN, text, modified=int(time()) - age * DAYS)
    file = one.write(PLAN, VERSIONS[-1], modified=int(time()) - 40 * DAYS)
    one.star(PLAN)
    for message in ("Who measures?", "I do, on Monday."):
        one.comment(file, message)
    tags = {name: one.make_tag(name) for name in ("urgent", "reviewed")}
    one.tag(file, tags["urgent"])
    one.throw_away("Documents/old draft.md", "Thrown away.\n")


def _shares(one: Person, bob: Person) -> None:
    one.share(PLAN, USER, "bob", 1)
    one.share("Projects", USER, "bob", 15)
    one.share("Photos", GROUP, "team", 1)
    one.share("Public", LINK, "", READ_AND_SHARE, label="For visitors")
    secret = {"password": secrets.token_urlsafe(12), "expireDate": "2030-12-31"}
    one.share("Documents/report.pdf", LINK, "", READ_AND_SHARE, **secret)
    one.share("Documents/budget.csv", MAIL, "carol@example.org", READ_AND_SHARE)
    bob.share("Holiday", USER, one.name, 15)
