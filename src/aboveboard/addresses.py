"""Which addresses are this machine: the one answer for whoever listens, connects or refuses to."""

from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine: localhost, 127.0.0.0/8, ::1, and IPv4 addresses in IPv6 clothes.

    Any other name is not, whatever it resolves to: who answers for it can change between two questions.
    """
    bare = host.strip("[]")
    if bare.lower() == "localhost":
        return True
    try:
        address = ip_address(bare)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def keeps_secrets(address: str) -> bool:
    """Tell whether what is sent to an address can be read by nobody on the way: https, or http on this machine."""
    url = urlsplit(address)
    return bool(url.hostname) and (url.scheme == "https" or (url.scheme == "http" and is_loopback(url.hostname)))
