"""A server whose every page has a next one."""

from tests.audit.liars.stage import GET, Speaker, serve


def endless(speaker: Speaker) -> None:
    speaker.listed = lambda params: '{"tools": [], "nextCursor": "again"}'


if __name__ == "__main__":
    serve([GET], each=endless)
