"""Calls of the tools for administrators: access, people, tags, comments, schedules, validation."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.lightdash.arrangements import EDITOR, EVERYBODY, INVITED, VIEWER

NOBODY: Final = "99999999-0000-4000-8000-000000000000"
RIVAL: Final = "0b000000-0000-4000-8000-000000000007"
Row = Callable[[Any], dict[str, Any]]


def within(*names: str, **arguments: Any) -> Row:
    """Make a row of a call in the known project, with ids of what was made."""
    return lambda known: {"project_uuid": known.project, **{name: known.made[name] for name in names}, **arguments}


def of(*names: str, **arguments: Any) -> Row:
    """Make a row of a call that names no project."""
    return lambda known: {**{name: known.made[name] for name in names}, **arguments}


def on_dashboard(*names: str, **arguments: Any) -> Row:
    """Make a row of a call about the known dashboard."""
    return lambda known: {**within(*names, **arguments)(known), "dashboard": known.dashboard["uuid"]}


def in_space(**arguments: Any) -> Row:
    """Make a row of a call about the known space."""
    return lambda known: {"project_uuid": known.project, "space_uuid": known.space, **arguments}


def scheduling(**arguments: Any) -> Row:
    """Make a row of a call that schedules the known chart."""
    usual = {"name": "Monday", "cron": "0 9 * * 1", "emails": ["ada@corner-shop.example"]}
    return lambda known: {"project_uuid": known.project, "chart": known.chart["uuid"], **usual, **arguments}


GOOD: Final[Mapping[str, Row]] = {
    "get_context": of(),
    "refresh_project": within(),
    "get_job_status": of("job_id"),
    "get_project_parameters": within(search="cur"),
    "list_project_access": within(),
    "grant_user_space_access": in_space(user_uuid=EDITOR, role="viewer"),
    "revoke_user_space_access": in_space(user_uuid=EDITOR),
    "grant_group_space_access": in_space(group_uuid=EVERYBODY, role="viewer"),
    "revoke_group_space_access": in_space(group_uuid=EVERYBODY),
    "delete_member": of(user_uuid=VIEWER),
    "create_group": of(name="Bäckerei"),
    "update_group": of(group_uuid=EVERYBODY, name="All of us"),
    "delete_group": of(group_uuid=EVERYBODY),
    "list_group_members": of(group_uuid=EVERYBODY),
    "add_user_to_group": of(group_uuid=EVERYBODY, user_uuid=INVITED),
    "remove_user_from_group": of(group_uuid=EVERYBODY, user_uuid=VIEWER),
    "list_roles": of(limit=3),
    "list_role_assignments": within(),
    "assign_role": within(role="editor", user_uuid=VIEWER),
    "unassign_role": within(group_uuid=EVERYBODY),
    "list_user_attributes": of(),
    "list_tags": within(),
    "create_tag": within(name="Brötchen", color="#2b8a3e"),
    "update_tag": within("tag_uuid", name="Out of season"),
    "delete_tag": within("tag_uuid"),
    "list_comments": on_dashboard(),
    "add_comment": on_dashboard("tile_uuid", text="Why is this < 5 & falling?\nSince when?"),
    "resolve_comment": on_dashboard("comment_id"),
    "delete_comment": on_dashboard("comment_id"),
    "list_schedulers": within(search="mon"),
    "get_scheduler": of("scheduler_uuid"),
    "create_scheduler": scheduling(timezone="Europe/Berlin", message="Good morning"),
    "update_scheduler": of("scheduler_uuid", name="Tuesday", emails=["bo@corner-shop.example"]),
    "set_scheduler_enabled": of("scheduler_uuid", enabled=False),
    "send_scheduler_now": of("scheduler_uuid"),
    "delete_scheduler": of("scheduler_uuid"),
    "get_scheduler_runs": within("scheduler_uuid"),
    "validate_project": within(),
    "get_validation_results": within(source="chart"),
    "get_validation_summary": within(),
    "dismiss_validation": within("validation_uuid"),
}

BAD: Final[Mapping[str, tuple[Row, str]]] = {
    "get_context": (of(project="x"), "get_context has no parameter 'project'"),
    "refresh_project": (of(project_uuid=NOBODY), f"Cannot find project with id: {NOBODY}"),
    "get_job_status": (of(job_id="12a"), "'12a' is not the id of a job."),
    "get_project_parameters": (within(limit=0), "limit must be at least 1."),
    "list_project_access": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "grant_user_space_access": (in_space(user_uuid=RIVAL, role="viewer"), "not a member of this organization"),
    "revoke_user_space_access": (in_space(user_uuid=NOBODY), "is not shared with the user"),
    "grant_group_space_access": (in_space(group_uuid=NOBODY, role="viewer"), "No group found"),
    "revoke_group_space_access": (in_space(group_uuid=NOBODY), "is not shared with the group"),
    "delete_member": (of(user_uuid=RIVAL), f"No member of the organisation has the UUID {RIVAL}."),
    "create_group": (of(name="Editors"), "Group name already exists"),
    "update_group": (of(group_uuid=EVERYBODY, name=""), "name must have at least 1 character"),
    "delete_group": (of(group_uuid=NOBODY), "No group found"),
    "list_group_members": (of(group_uuid="Everybody"), "'Everybody' is not a UUID."),
    "add_user_to_group": (of(group_uuid=EVERYBODY, user_uuid=RIVAL), "No member of the organisation has the UUID"),
    "remove_user_from_group": (of(group_uuid=EVERYBODY, user_uuid=INVITED), "'Everybody' has no member with the UUID"),
    "list_roles": (of(page=0), "page must be at least 1."),
    "list_role_assignments": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "assign_role": (within(role="kind", user_uuid=VIEWER), "Lightdash has no role 'kind'"),
    "unassign_role": (within(), "Give a user_uuid or a group_uuid, one of them."),
    "list_user_attributes": (of(limit=201), "limit must be at most 200."),
    "list_tags": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "create_tag": (within(name="Rye", color="yelow"), "did you mean 'yellow'?"),
    "update_tag": (within("tag_uuid"), "there is nothing to change"),
    "delete_tag": (within(tag_uuid=NOBODY), f"The project has no tag with the UUID {NOBODY}."),
    "list_comments": (within(dashboard="no-such-dashboard"), "Lightdash answered 404"),
    "add_comment": (on_dashboard(tile_uuid=NOBODY, text="Hm"), "Dashboard tile not found"),
    "resolve_comment": (on_dashboard(comment_id=NOBODY), f"The dashboard has no comment with the UUID {NOBODY}."),
    "delete_comment": (on_dashboard(comment_id=NOBODY), f"The dashboard has no comment with the UUID {NOBODY}."),
    "list_schedulers": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "get_scheduler": (of(scheduler_uuid=NOBODY), "Scheduler not found"),
    "create_scheduler": (scheduling(emails=["ada at corner-shop"]), "'ada at corner-shop' is not an e-mail address."),
    "update_scheduler": (of("scheduler_uuid", cron="daily"), "'daily' is no cron expression"),
    "set_scheduler_enabled": (of(scheduler_uuid=NOBODY, enabled=True), "Scheduler not found"),
    "send_scheduler_now": (of(scheduler_uuid=NOBODY), "Scheduler not found"),
    "delete_scheduler": (of(scheduler_uuid=NOBODY), "Scheduler not found"),
    "get_scheduler_runs": (within(scheduler_uuid="Monday"), "'Monday' is not a UUID."),
    "validate_project": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "get_validation_results": (within(source="hologram"), "source must be one of"),
    "get_validation_summary": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "dismiss_validation": (within(validation_uuid=NOBODY), f"Validation {NOBODY} not found"),
}

OTHERWISE: Final[tuple[tuple[str, Row], ...]] = (
    ("list_role_assignments", of(organization=True)),
    ("assign_role", of(role="editor", user_uuid=VIEWER, organization=True)),
    ("assign_role", within(role="editor", group_uuid=EVERYBODY)),
    ("unassign_role", within(user_uuid=VIEWER)),
    ("send_scheduler_now", of("scheduler_uuid")),
    (
        "create_scheduler",
        lambda known: {**on_dashboard()(known), "name": "M", "cron": "0 9 * * 1", "slack_channels": ["C1"]},
    ),
)
