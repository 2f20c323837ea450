"""What can be wrong with the address of a service that someone sets."""

import httpx2


def base_url_problem(variable: str, url: str, *, service: str, examples: str) -> str:
    """Say what is wrong with the address in a setting; empty where it will do."""
    if not url:
        return f"{variable} is not set: give the address of your {service}, such as {examples.split()[0]}."
    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        parts = httpx2.URL("")
    possible = parts.host and " " not in url and (parts.port is None or 0 < parts.port < 65536)
    if parts.scheme not in ("http", "https") or not possible:
        return f"{variable} must be a web address such as {examples}."
    if parts.userinfo or "?" in url or "#" in url:
        return f"{variable} must be a plain address, without a user, a query or a fragment."
    return ""
