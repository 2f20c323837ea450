"""A server that lists its tools as one object, or lists things that are no tools."""

import sys

from tests.audit.liars.stage import Speaker, serve

ANSWERS = {"object": '{"tools": {"get_note": {}}}', "entries": '{"tools": [null, 7, {"name": 5}]}'}


def confused(speaker: Speaker) -> None:
    speaker.listed = lambda params: ANSWERS[sys.argv[1]]


if __name__ == "__main__":
    serve([], each=confused)
