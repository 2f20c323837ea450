import pytest

from aboveboard.addresses import is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "127.8.8.8",
        "127.255.255.254",
        "::1",
        "[::1]",
        "::ffff:127.0.0.1",
        "0:0::1",
    ],
)
def test_this_machine_has_many_addresses(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "0.0.0.0",  # noqa: S104 (it is every address)
        "::",
        "127.0.0.1.example.com",
        "127.example.com",
        "127.1",
        "notes.localhost",
        "localhost.example.com",
        "::ffff:10.0.0.1",
        "10.0.0.1",
    ],
)
def test_what_only_looks_like_this_machine_is_not(host: str) -> None:
    assert not is_loopback(host)
