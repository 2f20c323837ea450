"""What can be wrong between this server and a Lightdash, checked in the order one would."""

from collections.abc import AsyncIterator, Mapping

from aboveboard.errors import Failure, Unauthorised
from aboveboard.kit.checkup import Check, State, check_encryption, unreachable
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.settings import Settings


async def checkup(environment: Mapping[str, str]) -> AsyncIterator[Check]:
    """Check the settings, the way to Lightdash, its version, the token and the projects."""
    try:
        settings = Settings.read(environment)
    except Failure as failure:
        yield Check("settings", State.BAD, str(failure))
        return
    yield check_encryption("Lightdash", settings.url, "token")
    client = LightdashClient(settings.url, settings.token, allowed_projects=settings.allowed_projects)
    try:
        async for check in _answers(client, settings):
            yield check
    finally:
        await client.aclose()


async def _answers(client: LightdashClient, settings: Settings) -> AsyncIterator[Check]:
    try:
        health = await client.instance.health()
    except Failure as failure:
        yield unreachable("Lightdash", failure)
        return
    yield Check("reachable", State.GOOD, "Lightdash answers.")
    yield Check("version", State.GOOD, f"It is version {health.version}.")
    try:
        me = await client.instance.me()
    except Unauthorised:
        advice = (
            "Create a personal access token in Lightdash (Settings, Personal access tokens) and set LIGHTDASH_API_KEY."
        )
        yield Check("token", State.BAD, f"Lightdash does not accept the token. {advice}")
        return
    except Failure as failure:
        yield Check("token", State.BAD, str(failure))
        return
    yield Check("token", State.GOOD, f"It belongs to {me.first_name} {me.last_name} ({me.role or 'no role'}).")
    yield await _projects(client, settings)


async def _projects(client: LightdashClient, settings: Settings) -> Check:
    try:
        projects = await client.projects.list(limit=max(5, len(settings.allowed_projects)), page=1)
    except Failure as failure:
        return Check("projects", State.BAD, str(failure))
    missing = settings.allowed_projects - {project.project_uuid for project in projects.items}
    if missing:
        return Check(
            "projects", State.BAD, f"LIGHTDASH_ALLOWED_PROJECTS names {', '.join(sorted(missing))}: not there."
        )
    default = settings.default_project
    if default is not None and default not in {project.project_uuid for project in projects.items}:
        try:
            await client.projects.get(default)
        except Failure:
            return Check("projects", State.BAD, f"LIGHTDASH_PROJECT_UUID names {default}: not there.")
    if not projects.items:
        return Check("projects", State.WARNING, "The token sees no project.")
    return Check(
        "projects",
        State.GOOD,
        f"The server may touch {projects.total}: " + ", ".join(p.name for p in projects.items[:5]) + ".",
    )
