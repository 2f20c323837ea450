"""Passwords of links, kept and shown as hashes."""

import hashlib
import hmac


def hashed(password: str, salt: str) -> str:
    """What is stored, and shown where the real server shows its own hash."""
    digest = hashlib.sha256(f"{salt}{password}".encode()).hexdigest()
    return f"1|{salt}|{digest}"


def matches(stored: str, password: str) -> bool:
    """Whether a password is the one that was stored."""
    salt = stored.split("|")[1]
    return hmac.compare_digest(stored, hashed(password, salt))
