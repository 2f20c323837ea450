"""Paths: whatever an id holds, it stays one segment, or it is refused before anything is sent."""

from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.http.wire import Wire, answer, session

from aboveboard.errors import BadInput
from aboveboard.http import path

ID = "3675b69e-1f0c-4a3e-9d2b-0a1b2c3d4e5f"
ANY_TEXT = st.text(st.characters())  # lone surrogates included


@given(part=ANY_TEXT)
@example(part="../../admin")
@example(part="a/b?c=d#e")
@example(part="%2e%2e")
@example(part="..;/x")
@example(part="\\..\\")
@example(part="\ud800")
@example(part="\x85")
@example(part="\x7f")
def test_any_text_is_one_segment_that_decodes_back_or_is_refused(part: str) -> None:
    try:
        made = path("/api/{thing}/end", thing=part)
    except BadInput:
        return
    start, api, segment, end = made.split("/")
    assert (start, api, end) == ("", "api", "end")
    assert unquote(segment, errors="strict") == part
    assert segment not in ("", ".", "..")
    assert segment.isascii()
    assert not set("?#\\ \r\n;") & set(segment)
    assert made.parts == {"thing": part}


@given(part=st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)), min_size=1))
def test_text_without_control_characters_is_taken_unless_it_is_dots(part: str) -> None:
    if part in (".", ".."):
        with pytest.raises(BadInput):
            path("/{thing}", thing=part)
    else:
        assert unquote(path("/{thing}", thing=part)) == f"/{part}"


@pytest.mark.parametrize(
    "part", ["", ".", "..", "a\nb", "a\r", "\x00", "\x1f", "\x7f", "\x80", "\x9f", "x\ud800"], ids=ascii
)
def test_what_no_id_can_be_is_refused_by_the_name_of_the_part(part: str) -> None:
    with pytest.raises(BadInput, match=r"id of a chart.* a list tool shows"):
        path("/charts/{chart}", chart=part)


def test_a_path_remembers_its_template_and_its_parts() -> None:
    made = path("/p/{project:uuid}/c/{chart}", project=ID.upper(), chart="a b/c")
    assert made == f"/p/{ID}/c/a%20b%2Fc"
    assert made.template == "/p/{project:uuid}/c/{chart}"
    assert made.parts == {"project": ID, "chart": "a b/c"}


def test_a_template_whose_part_is_not_given_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        path("/charts/{chart}")


def test_a_uuid_is_written_in_lower_case() -> None:
    assert path("/{project:uuid}", project=ID.upper()).parts == {"project": ID}


@pytest.mark.parametrize(
    "part",
    [
        f"{{{ID}}}",
        ID.replace("-", ""),
        f"{ID}\n",
        f" {ID}",
        f"urn:uuid:{ID}",
        ID[:-1],
        f"{ID}0",
        ID.replace("3", "g", 1),
        ID.replace("3", "\uff13", 1),  # a full-width digit
        f"{ID}/../x",
        "",
        "..",
    ],
    ids=ascii,
)
def test_what_is_no_uuid_is_refused_by_the_name_of_the_part(part: str) -> None:
    with pytest.raises(BadInput, match=r"The project .* is not a UUID"):
        path("/{project:uuid}", project=part)


@pytest.mark.anyio
@pytest.mark.parametrize("base", ["", "/bi/lightdash"])
async def test_what_is_sent_is_the_path_as_escaped(base: str) -> None:
    part = "../a b?c#d%2e/ü;x"
    async with Wire(answer(200)).listening() as wire, session(wire.url + base) as shop:
        await shop.request("GET", path("/things/{thing}/end", thing=part))
    assert wire.lines == [f"GET {base}/things/..%2Fa%20b%3Fc%23d%252e%2F%C3%BC%3Bx/end"]
