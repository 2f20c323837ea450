"""Tasks as different programs write them, with what only they write."""

from typing import Final

ZONE: Final = (
    "BEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\n"
    "TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\n"
    "BEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
)
TASK_LINES: Final = {
    "Outlook": (
        "DTSTART;TZID=W. Europe Standard Time:20261023T080000\r\nDUE;TZID=W. Europe Standard Time:20261024T080000\r\n"
        "RRULE:FREQ=DAILY;COUNT=3\r\nX-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n"
    ),
    "Apple Reminders": (
        "SUMMARY:Water\r\nDUE;VALUE=DATE:20310510\r\nX-APPLE-SORT-ORDER:77\r\nRELATED-TO;RELTYPE=SIBLING:other\r\n"
        "BEGIN:VALARM\r\nX-WR-ALARMUID:A1\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20310510T070000Z\r\n"
        "X-APPLE-PROXIMITY:ARRIVE\r\nEND:VALARM\r\n"
    ),
    "Tasks.org": "PRIORITY:1\r\nX-ASTRID-PINNED:1\r\nX-OC-HIDESUBTASKS:1\r\nGEO:1.50;2.5\r\nstatus:IN-PROCESS\r\n",
    "Thunderbird": (
        "DTSTART;TZID=W. Europe Standard Time:20310510T080000\r\nX-MOZ-GENERATION:4\r\nCLASS:PRIVATE\r\n"
        'DESCRIPTION;ALTREP="data:text/html,%3Cb%3Ex":a text that is folded over\r\n  two lines\\, or\r\n\t three\r\n'
    ),
}


def task(lines: str) -> str:
    head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Foreign//EN\r\n"
    return (
        f"{head}{ZONE}BEGIN:VTODO\r\nUID:foreign\r\nDTSTAMP:20261101T000000Z\r\n{lines}END:VTODO\r\nEND:VCALENDAR\r\n"
    )
