"""Fields as the data catalog lists them: a date once more for each way to cut it, of which it does not say so."""

from collections.abc import Mapping, Sequence
from typing import Final

from aboveboard.lightdash.client.api import Model

_WORDS = """
raw year quarter month week day hour minute second millisecond year_num quarter_num quarter_name month_num month_name
week_num day_of_week_index day_of_week_name day_of_month_num day_of_year_num hour_of_day_num minute_of_hour_num
"""
GRANULARITIES: Final = tuple(_WORDS.split())


class CatalogField(Model):
    """A field found by a search over all explores."""

    name: str
    label: str
    table_name: str
    field_type: str
    field_value_type: str | None = None
    description: str | None = None

    @property
    def id(self) -> str:
        """What queries take."""
        return f"{self.table_name}_{self.name}"

    @property
    def is_date(self) -> bool:
        """Tell whether it is a dimension of days or moments."""
        return self.field_type == "dimension" and self.field_value_type in ("date", "timestamp")

    def cut(self, dates: Mapping[str, "CatalogField"]) -> tuple[str, str] | None:
        """Return the id of the date that it is cut from, and to what; one with words of its own is no such cut."""
        for granularity in GRANULARITIES if self.field_type == "dimension" else ():
            date = dates.get(self.id.removesuffix(f"_{granularity}"))
            if date and date.id != self.id and self._tells_no_more_than(date):
                return date.id, granularity
        return None

    def _tells_no_more_than(self, date: "CatalogField") -> bool:
        return self.description == date.description and self.label.startswith(date.label)


class WholeField(Model):
    """A field, and what can be cut from it if it is a date."""

    field: CatalogField
    cuts: dict[str, CatalogField]
    """By their granularity."""

    @property
    def text(self) -> str:
        """All that it can be found by, in lines."""
        every = (self.field, *self.cuts.values())
        return "\n".join([*(f"{one.id}\n{one.label}" for one in every), self.field.description or ""])


def whole_fields(fields: Sequence[CatalogField]) -> list[WholeField]:
    """Put what is cut from a date into the entry of that date."""
    every = {one.id: one for one in fields if one.is_date}
    dates = {name: one for name, one in every.items() if one.cut(every) is None}
    cuts: dict[str, dict[str, CatalogField]] = {}
    kept: list[CatalogField] = []
    for one in fields:
        if found := one.cut(dates):
            date, granularity = found
            cuts.setdefault(date, {})[granularity] = one
        else:
            kept.append(one)
    return [WholeField(field=one, cuts=cuts.get(one.id, {}) if one.is_date else {}) for one in kept]
