"""PRO02: a list that comes in another order every time."""

from tests.audit.liars.stage import GET, LIST, Speaker, serve

RULE = "PRO02"
TOOLS = [GET, LIST]


def turn(speaker: Speaker) -> None:
    speaker.tools = [*speaker.tools[1:], speaker.tools[0]]


if __name__ == "__main__":
    serve(TOOLS, each=turn)
