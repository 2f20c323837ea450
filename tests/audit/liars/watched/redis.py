"""How servers reach what they keep in Redis, at port REDIS_PORT of this machine. Standard library only."""

import os

from tests.audit.liars.watched.line import connected


def redis(*words: str) -> str:
    """Say one command, and return the first line of the answer."""
    text = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
    with connected("127.0.0.1", int(os.environ["REDIS_PORT"])) as line:
        line.write(text.encode())
        line.flush()
        return line.readline().decode().strip()
