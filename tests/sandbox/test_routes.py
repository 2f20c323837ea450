"""Which function answers a path, whatever the order in which the paths were declared."""

from collections.abc import Sequence

import pytest

from aboveboard.sandbox.routes import Route, Router, register

ROUTES = [
    Route("GET", "/notes/{rest...}", "rest"),
    Route("GET", "/notes/{id}", "one"),
    Route("POST", "/notes/{id}/copy", "copy"),
    Route("GET", "/notes/settings", "settings"),
    Route("PUT", "/notes/settings", "set"),
    Route("DELETE", "/notes/{other}", "delete"),
]


@pytest.mark.parametrize("routes", [ROUTES, ROUTES[::-1]], ids=["declared", "backwards"])
@pytest.mark.parametrize(
    ("method", "path", "handler", "values"),
    [
        ("GET", "notes/settings", "settings", {}),
        ("HEAD", "notes/settings", "settings", {}),
        ("GET", "notes/a%2Fb", "one", {"id": "a%2Fb"}),
        ("DELETE", "notes/settings", "delete", {"other": "settings"}),
        ("GET", "notes/1/2", "rest", {"rest": "1/2"}),
        ("GET", "notes", "rest", {"rest": ""}),
        ("GET", "Notes/settings", None, None),
        ("GET", "other", None, None),
    ],
)
def test_a_word_goes_before_a_name_and_a_name_before_a_rest(
    routes: Sequence[Route[str]], method: str, path: str, handler: str | None, values: dict[str, str] | None
) -> None:
    found = Router(routes).find(method, path.split("/"))
    assert (found and found.route and found.route.handler, found and found.values) == (handler, values)


def test_a_path_that_only_other_methods_have_names_them() -> None:
    found = Router(ROUTES).find("PATCH", ["notes", "settings"])
    assert found is not None
    assert (found.route, sorted(found.methods)) == (None, ["DELETE", "GET", "PUT"])


def test_capitals_make_no_difference_where_they_make_none() -> None:
    found = Router(ROUTES, any_case=True).find("GET", ["NOTES", "Settings"])
    assert found is not None
    assert found.route is not None


def test_two_functions_for_one_request_are_refused() -> None:
    routes: list[Route[object]] = []
    for path in ("/notes/{id}", "/notes/{other}"):
        register(routes, "GET", path)(object())
    with pytest.raises(ValueError, match="Two functions answer GET"):
        Router(routes)
