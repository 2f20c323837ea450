"""Whom to trust: loaded once, since that takes longer than most of what is asked afterwards."""

import ssl
from functools import lru_cache

import httpx2


@lru_cache
def tls_context(*, by_environment: bool = True) -> ssl.SSLContext:
    """Return what a client checks certificates with; the environment may name others than the usual ones."""
    return httpx2.create_ssl_context(trust_env=by_environment)
