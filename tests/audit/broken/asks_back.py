"""A server that asks its client things before it answers: a ping, and something this client does not do."""

import json
import sys

from tests.audit.liars.stage import GET, Speaker, serve


def ask(speaker: Speaker) -> None:
    for number, method in ((901, "ping"), (902, "sampling/createMessage")):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method}) + "\n")
    sys.stdout.flush()
    answers = [json.loads(sys.stdin.readline()) for _ in range(2)]
    speaker.name = f"{answers[0].get('result')} {answers[1].get('error', {}).get('code')}"


if __name__ == "__main__":
    serve([GET], each=ask)
