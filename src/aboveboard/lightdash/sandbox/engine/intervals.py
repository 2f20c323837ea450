"""Time intervals: what a date gives when it is cut to a month, or asked for its weekday."""

from dataclasses import dataclass

_TRUNCATED = ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_NUMBERS = {
    "DAY_OF_WEEK_INDEX": "DOW",
    "DAY_OF_MONTH_NUM": "DAY",
    "DAY_OF_YEAR_NUM": "DOY",
    "WEEK_NUM": "WEEK",
    "MONTH_NUM": "MONTH",
    "QUARTER_NUM": "QUARTER",
    "YEAR_NUM": "YEAR",
    "HOUR_OF_DAY_NUM": "HOUR",
    "MINUTE_OF_HOUR_NUM": "MINUTE",
}
_NAMES = {"DAY_OF_WEEK_NAME": "FMDay", "MONTH_NAME": "FMMonth", "QUARTER_NAME": '"Q"Q'}
_FINE = {"SECOND", "MINUTE", "HOUR"}
USUAL = ("RAW", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
"""The intervals of a timestamp that asks for no others; a date has them without the first."""
ALL = ("RAW", *reversed(_TRUNCATED), *_NUMBERS, *_NAMES)


@dataclass(frozen=True)
class Interval:
    """One time interval of a date or timestamp dimension."""

    name: str

    @property
    def suffix(self) -> str:
        """What stands behind the dimension's name."""
        return self.name.lower()

    @property
    def label(self) -> str:
        """What stands behind the dimension's label."""
        return self.name.lower().replace("_", " ")

    def sql(self, base: str) -> str:
        """The expression over the base dimension's."""
        if self.name in _NUMBERS:
            return f"DATE_PART('{_NUMBERS[self.name]}', {base})"
        if self.name in _NAMES:
            return f"TO_CHAR({base}, '{_NAMES[self.name]}')"
        return base if self.name == "RAW" else f"DATE_TRUNC('{self.name}', {base})"

    def type(self, base: str) -> str:
        """The type of what comes out."""
        if self.name in _NUMBERS:
            return "number"
        if self.name in _NAMES:
            return "string"
        return base if self.name == "RAW" or (self.name in _FINE) else "date"

    def column_type(self, base: str) -> str:
        """The type that the warehouse gives the column: what is cut is a timestamp."""
        return "timestamp" if self.name in _TRUNCATED else self.type(base)
