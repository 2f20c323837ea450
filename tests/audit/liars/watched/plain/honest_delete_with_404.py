"""Honest: a delete that is idempotent; the second call fails, since nothing is there."""

from tests.audit.liars.stage import DELETE, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest


def delete_note(arguments: Arguments) -> Answer:
    return rest("DELETE", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([DELETE], acts={"delete_note": delete_note})
