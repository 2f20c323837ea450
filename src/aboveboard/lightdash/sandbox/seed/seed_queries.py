"""A saved SQL chart to begin with."""

from aboveboard.lightdash.sandbox.seed.seed_content import ADMIN, MAIN, SALES, ident, moment
from aboveboard.lightdash.sandbox.store import Store

_SQL = """select date_part('hour', order_date) as hour, count(*) as orders
from shop.orders
group by 1
order by 1"""
_CONFIG: dict[str, object] = {"type": "vertical_bar", "metadata": {"version": 1}, "columns": {}, "display": {}}


def fill(store: Store) -> None:
    """Seed it into a space that is there already."""
    store.insert(
        "sql_charts",
        uuid=ident("3b", 1),
        project=MAIN,
        space=SALES,
        slug="busiest-hours",
        name="Busiest hours",
        description="When to have two people at the till",
        sql=_SQL,
        row_limit=500,
        config=_CONFIG,
        kind="vertical_bar",
        version_uuid=ident("6b", 1),
        created_by=ADMIN,
        updated_by=ADMIN,
        created_at=moment(58),
        updated_at=moment(58),
        views=0,
    )
