"""A server that has no tools, and does not know the method that lists them."""

from tests.audit.liars.stage import Speaker, serve


def without_tools(speaker: Speaker) -> None:
    speaker.listed = lambda params: None


if __name__ == "__main__":
    serve([], each=without_tools)
