"""What the environment may hold, and what is said of each mistake."""

from typing import Final

import pytest

from aboveboard.errors import BadInput
from aboveboard.nextcloud.settings import Settings

SECRET: Final = "hunter2-hunter2"
GOOD: Final = {
    "NEXTCLOUD_HOST": "https://cloud.example.org",
    "NEXTCLOUD_USERNAME": "ada",
    "NEXTCLOUD_PASSWORD": SECRET,
}
NO_ADDRESS: Final = "NEXTCLOUD_HOST must be a web address such as"
NOT_PLAIN: Final = "NEXTCLOUD_HOST must be a plain address"


@pytest.mark.parametrize(
    ("variable", "value", "problem"),
    [
        ("NEXTCLOUD_HOST", None, "NEXTCLOUD_HOST is not set"),
        ("NEXTCLOUD_HOST", " ", "NEXTCLOUD_HOST is not set"),
        ("NEXTCLOUD_HOST", "cloud.example.org", NO_ADDRESS),
        ("NEXTCLOUD_HOST", "ftp://cloud.example.org", NO_ADDRESS),
        ("NEXTCLOUD_HOST", "https://", NO_ADDRESS),
        ("NEXTCLOUD_HOST", "https://cloud example.org", NO_ADDRESS),
        ("NEXTCLOUD_HOST", "https://cloud.example.org:99999", NO_ADDRESS),
        ("NEXTCLOUD_HOST", f"https://ada:{SECRET}@cloud.example.org", NOT_PLAIN),
        ("NEXTCLOUD_HOST", "https://cloud.example.org?x=1", NOT_PLAIN),
        ("NEXTCLOUD_HOST", "https://cloud.example.org#x", NOT_PLAIN),
        ("NEXTCLOUD_HOST", "https://cloud.example.org/index.php/apps/files", "NEXTCLOUD_HOST must end before"),
        ("NEXTCLOUD_HOST", "https://example.org/nc/remote.php/dav", "NEXTCLOUD_HOST must end before"),
        ("NEXTCLOUD_USERNAME", None, "NEXTCLOUD_USERNAME is not set"),
        ("NEXTCLOUD_USERNAME", "a:b", "NEXTCLOUD_USERNAME holds characters"),
        ("NEXTCLOUD_PASSWORD", None, "NEXTCLOUD_PASSWORD is not set: create an app password"),
        ("NEXTCLOUD_PASSWORD", f"{SECRET}\nX: 1", "NEXTCLOUD_PASSWORD holds characters"),
    ],
)
def test_a_mistake_is_named_without_the_secret(variable: str, value: str | None, problem: str) -> None:
    given = {name: text for name, text in {**GOOD, variable: value}.items() if text is not None}
    with pytest.raises(BadInput) as raised:
        Settings.read(given)
    assert str(raised.value).startswith(problem)
    assert SECRET not in str(raised.value)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(BadInput, match=r"HOST is not set.*USERNAME is not set.*PASSWORD is not set"):
        Settings.read({})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://cloud.example.org/", "https://cloud.example.org"),
        ("https://example.org/nextcloud/", "https://example.org/nextcloud"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ],
)
def test_an_address_keeps_its_folder_and_loses_its_last_slash(given: str, kept: str) -> None:
    read = Settings.read({**GOOD, "NEXTCLOUD_HOST": given})
    assert (read.host, read.username, read.password.get_secret_value()) == (kept, "ada", SECRET)
    assert SECRET not in repr(read)


@pytest.mark.parametrize(
    ("password", "is_one"),
    [("Xt6Rm-9Lqzp-BfW3k-sandb-oxAd1", True), ("a1" * 36, True), (SECRET, False), ("Xt6Rm-9Lqzp", False)],
)
def test_an_app_password_is_told_from_a_login_password(password: str, is_one: bool) -> None:  # noqa: FBT001
    assert Settings.read({**GOOD, "NEXTCLOUD_PASSWORD": password}).has_app_password is is_one
