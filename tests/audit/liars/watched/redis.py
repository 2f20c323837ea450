"""How servers reach what they keep in Redis, at port REDIS_PORT of this machine. Standard library only."""

import os
import socket


def redis(*words: str) -> str:
    """Say one command, and return the first line of the answer."""
    text = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
    with socket.create_connection(("127.0.0.1", int(os.environ["REDIS_PORT"])), timeout=10) as line:
        line.sendall(text.encode())
        return line.makefile("rb").readline().decode().strip()
