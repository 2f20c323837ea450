"""Calendar objects that no program may ever have written, drawn by hypothesis."""

from collections.abc import Sequence

from hypothesis import strategies as st

_NAMES = st.sampled_from(["X-A", "COMMENT", "X-LONG-NAME", "CONTACT", "x-lower", "ATTACH"])
_VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=120)
_PARAMS = st.sampled_from(["", ";X-P=1", ';X-Q="a;b:c"', ";LANGUAGE=de;X-R=a,b"])
_ENDS = st.sampled_from(["\r\n", "\n"])
ALARM = ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "X-WR-ALARMUID:a", "END:VALARM")
_EVENT = ("UID:x", "DTSTART:20310505T100000Z", "SUMMARY:Old")


@st.composite
def documents(draw: st.DrawFn, kind: str = "VEVENT", known: Sequence[str] = _EVENT) -> bytes:
    """Make an object with lines that nobody knows, folded somewhere, with either kind of line end."""
    end = draw(_ENDS)
    rows = ["BEGIN:VCALENDAR", "VERSION:2.0", f"BEGIN:{kind}", *known]
    for name, params, value in draw(st.lists(st.tuples(_NAMES, _PARAMS, _VALUES), max_size=6)):
        row = f"{name}{params}:{value}"
        at = draw(st.integers(len(name) + len(params) + 1, len(row)))
        rows.append(row[:at] + (f"{end} {row[at:]}" if draw(st.booleans()) else row[at:]))
    rows += [*ALARM, f"END:{kind}", "BEGIN:X-NOBODY", "X-B:1", "END:X-NOBODY", "END:VCALENDAR", ""]
    return end.join(rows).encode()
