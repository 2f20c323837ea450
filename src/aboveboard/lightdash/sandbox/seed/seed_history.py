"""What the demo projects have beside their charts: first versions, tags, a schedule, an attribute of people."""

from aboveboard.lightdash.sandbox.seed.seed_content import ADMIN, MAIN, ident, moment
from aboveboard.lightdash.sandbox.store import Store

_VERSION = "substr(uuid, 3)"
_TAGS = (
    ("Core metrics", "blue", "core"),
    ("Experimental", "orange", "experimental"),
    ("Sales", "green", "sales"),
    ("Street fair", "violet", None),
)


def fill(store: Store, organization: str) -> None:
    """Seed the rest, when charts and dashboards are there already."""
    store.run(
        f"INSERT INTO chart_versions SELECT uuid, '9a' || {_VERSION}, explore, kind, query, chart_config, table_config,"  # noqa: S608 - fixed text
        " pivot_config, parameters, updated_by, updated_at FROM charts"
    )
    store.run(
        "INSERT INTO dashboard_versions SELECT uuid, version_uuid, version_id, (SELECT json_group_array(json(tile))"
        " FROM (SELECT json_object('uuid', tiles.uuid, 'position', position, 'tab', tab, 'type', type, 'x', x, 'y', y,"
        " 'w', w, 'h', h, 'chart', chart, 'properties', json(properties)) AS tile FROM tiles"
        " WHERE tiles.dashboard = dashboards.uuid ORDER BY position)),"
        " tabs, filters, config, parameters, updated_by, updated_at FROM dashboards"
    )
    for number, (name, color, reference) in enumerate(_TAGS, 1):
        author = {"created_by": ADMIN, "created_at": moment(0)}
        uuid = ident("bb", number)
        store.insert("tags", uuid=uuid, project=MAIN, name=name, color=color, yaml_reference=reference, **author)
    _fill_scheduler(store)
    store.insert("agent_settings", organization=organization, visible=True)
    store.insert(
        "user_attributes",
        uuid=ident("bd", 1),
        organization=organization,
        name="region",
        description="Which shops a person may see",
        defaults=["all"],
        users=[],
        groups=[],
        created_at=moment(0),
    )


def _fill_scheduler(store: Store) -> None:
    store.insert(
        "schedulers",
        uuid=ident("bc", 1),
        project=MAIN,
        chart=ident("3a", 1),
        slug="monday-numbers",
        name="Monday numbers",
        message="",
        cron="0 9 * * 1",
        timezone="UTC",
        format="csv",
        options={"limit": "table", "formatted": True},
        more={"thresholds": [], "plainTextEmail": False},
        targets=[{"uuid": ident("be", 1), "recipient": "ada@corner-shop.example"}],
        enabled=True,
        include_links=True,
        created_by=ADMIN,
        created_at=moment(200),
        updated_at=moment(200),
    )
