"""Which addresses are this machine: the one answer for whoever listens, connects or refuses to."""

from ipaddress import IPv6Address, ip_address


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
