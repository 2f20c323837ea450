"""An older server that ends when it is asked what it does not know, and serves those who greet it its own way."""

import sys

from tests.audit.liars.stage import GET, Speaker, serve


def refuse_the_unknown(speaker: Speaker) -> None:
    speaker.discovered = lambda _params: sys.exit(1)


if __name__ == "__main__":
    serve([GET], eras=["legacy"], each=refuse_the_unknown)
