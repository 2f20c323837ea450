"""The first state: a small shop, its people and projects, and a rival next door.

Ids are fixed and tell their kind by the first digits: 0a organisations, 0b people, 0c groups, 1a projects, 2a spaces,
3a charts, 4a dashboards. What the projects hold is in seed_content.py.
"""

from aboveboard.lightdash.sandbox.seed import seed_content, seed_history, seed_queries
from aboveboard.lightdash.sandbox.seed.seed_content import (
    ADMIN,
    CUSTOMERS,
    DEVELOPER,
    FINANCE,
    INBOX,
    MAIN,
    PREVIEW,
    PREVIEW_SPACE,
    RIVAL,
    RIVAL_ADMIN,
    RIVAL_SPACE,
    SALES,
    WEEKLY,
    ident,
    moment,
)
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.sandbox.store import Seed

TOKENS = {
    "admin": "ldpat_sandbox_admin",
    "editor": "ldpat_sandbox_editor",
    "viewer": "ldpat_sandbox_viewer",
    "other-org": "ldpat_sandbox_other_org",
}

SHOP = ident("0a", 1)
RIVALS = ident("0a", 2)
EDITOR = ident("0b", 2)
VIEWER = ident("0b", 3)
ANALYST = ident("0b", 5)
INVITED = ident("0b", 6)

_PEOPLE = (
    (ADMIN, SHOP, "ada@corner-shop.example", "Ada", "Okafor", "admin"),
    (EDITOR, SHOP, "edith@corner-shop.example", "Édith", "Núñez", "editor"),
    (VIEWER, SHOP, "vera@corner-shop.example", "Vera", "Müller", "viewer"),
    (DEVELOPER, SHOP, "dana@corner-shop.example", "Dana", "Yılmaz", "developer"),
    (ANALYST, SHOP, "ines@corner-shop.example", "Inès", "伊藤", "interactive_viewer"),
    (INVITED, SHOP, "new@corner-shop.example", "", "", "member"),
    (RIVAL_ADMIN, RIVALS, "otto@rival-shop.example", "Otto", "Rival", "admin"),
)
EMAILS = [email for _, _, email, name, *_ in _PEOPLE if name]
"""Of those who can log in; who was merely invited cannot."""
_GROUPS = (
    (ident("0c", 1), "Everybody", ADMIN, (ADMIN, EDITOR, VIEWER, DEVELOPER, ANALYST)),
    (ident("0c", 2), "Editors", ADMIN, (EDITOR,)),
    (ident("0c", 3), "Night shift", None, ()),
)
_SPACES: tuple[tuple[str, str, str | None, str, str, bool, dict[str, str]], ...] = (
    # uuid, project, parent, name, slug, inherits, shared with
    (SALES, MAIN, None, "Sales", "sales", True, {ADMIN: "admin"}),
    (WEEKLY, MAIN, SALES, "Weekly", "weekly", True, {ADMIN: "admin"}),
    (ident("2a", 3), MAIN, WEEKLY, "Archive", "archive", True, {ADMIN: "admin"}),
    (CUSTOMERS, MAIN, None, "Customers & Cafés", "customers-caf-s", True, {ADMIN: "admin"}),
    (FINANCE, MAIN, None, "Finance", "finance", False, {ADMIN: "admin", DEVELOPER: "editor"}),
    (ident("2a", 6), MAIN, FINANCE, "Audit", "audit", True, {ADMIN: "admin"}),
    (INBOX, MAIN, None, "Inbox", "inbox", True, {}),
    (PREVIEW_SPACE, PREVIEW, None, "Shared", "shared", True, {}),
    (RIVAL_SPACE, RIVAL, None, "Rival plans", "rival-plans", True, {RIVAL_ADMIN: "admin"}),
)
_WAREHOUSE = {"type": "postgres", "schema": "shop", "host": "127.0.0.1", "port": 5432, "dbname": "shop"}
_MAIN_SETTINGS = {
    "dbtConnection": {"type": "dbt", "project_dir": "/usr/app/dbt", "profiles_dir": "/usr/app/profiles"},
    "warehouseConnection": _WAREHOUSE | {"sslmode": "disable"},
    "pinnedListUuid": ident("8a", 1),
    "projectDefaults": {"case_sensitive": True},
}
# A project that the command line made has no dbt repository of its own.
_PREVIEW_SETTINGS = {
    "dbtConnection": {"type": "none", "target": "shop"},
    "warehouseConnection": {
        "sslmode": "disable",
        **_WAREHOUSE,
        "threads": 1,
        "searchPath": "",
        "role": "",
        "keepalivesIdle": 0,
    },
    "pinnedListUuid": None,
}


def fill(store: Store) -> None:
    """Seed an empty store."""
    store.insert("organizations", uuid=SHOP, name="Corner Shop", created_at=moment(0))
    store.insert("organizations", uuid=RIVALS, name="Rival Shop", created_at=moment(1))
    _fill_people(store)
    _fill_projects(store)
    _fill_spaces(store)
    seed_content.fill(store)
    seed_history.fill(store, SHOP)
    seed_queries.fill(store)


seed = Seed(fill)


def _fill_people(store: Store) -> None:
    for number, (uuid, organization, email, first, last, role) in enumerate(_PEOPLE, 1):
        store.insert(
            "users",
            uuid=uuid,
            id=number,
            organization=organization,
            email=email,
            first_name=first,
            last_name=last,
            role=role,
            is_pending=not first,
            created_at=moment(number),
            updated_at=moment(number),
        )
    for user, person in ((ADMIN, "admin"), (EDITOR, "editor"), (VIEWER, "viewer"), (RIVAL_ADMIN, "other-org")):
        store.insert("tokens", token=TOKENS[person], user=user)
    for number, (uuid, name, updated_by, members) in enumerate(_GROUPS, 10):
        times = {"created_at": moment(number), "updated_at": moment(number)}
        authors = {"created_by": ADMIN, "updated_by": updated_by}
        store.insert("groups", uuid=uuid, organization=SHOP, name=name, **authors, **times)
        for member in members:
            store.insert("group_members", group_uuid=uuid, user_uuid=member)


def _fill_projects(store: Store) -> None:
    for uuid, owner, slug, name, kind, upstream, settings in (
        (MAIN, ADMIN, "corner-shop", "Corner Shop", "DEFAULT", None, _MAIN_SETTINGS),
        (PREVIEW, ADMIN, "corner-shop-preview", "Corner Shop preview", "PREVIEW", MAIN, _PREVIEW_SETTINGS),
        (RIVAL, RIVAL_ADMIN, "rival-shop", "Rival Shop", "DEFAULT", None, _PREVIEW_SETTINGS),
    ):
        store.insert(
            "projects",
            uuid=uuid,
            organization=RIVALS if uuid == RIVAL else SHOP,
            slug=slug,
            name=name,
            type=kind,
            created_by=owner,
            upstream=upstream,
            settings=settings,
            created_at=moment(20),
        )


def _fill_spaces(store: Store) -> None:
    paths: dict[str | None, str] = {}
    for number, (uuid, project, parent, name, slug, inherits, shares) in enumerate(_SPACES, 30):
        path = slug.replace("-", "_")
        paths[uuid] = f"{paths[parent]}.{path}" if parent else path
        store.insert(
            "spaces",
            uuid=uuid,
            project=project,
            parent=parent,
            name=name,
            slug=slug,
            path=paths[uuid],
            inherits=inherits,
            created_by=RIVAL_ADMIN if project == RIVAL else ADMIN,
            created_at=moment(number),
        )
        for user, role in shares.items():
            store.insert("space_access", space=uuid, user=user, role=role)
