"""What can be wrong between this server and a Nextcloud, checked in the order one would."""

from collections.abc import AsyncIterator, Mapping

from aboveboard.errors import Failure, Unauthorised
from aboveboard.kit.catalogue_file import published_toolsets
from aboveboard.kit.checkup import Check, State, check_encryption, unreachable
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.ocs import InMaintenance
from aboveboard.nextcloud.settings import Settings

ADVICE = "Create an app password in Nextcloud (Personal settings, Security, Devices & sessions)"


async def checkup(environment: Mapping[str, str]) -> AsyncIterator[Check]:
    """Check the settings, the way to Nextcloud, the credentials, its version, and the apps that tools need."""
    try:
        settings = Settings.read(environment)
    except Failure as failure:
        yield Check("settings", State.BAD, str(failure))
        return
    yield check_encryption("Nextcloud", settings.host, "password")
    client = NextcloudClient(settings.host, settings.username, settings.password)
    try:
        async for check in _answers(client, settings):
            yield check
    finally:
        await client.aclose()


async def _answers(client: NextcloudClient, settings: Settings) -> AsyncIterator[Check]:
    try:
        user = await client.account.user()
    except Unauthorised:
        yield Check("reachable", State.GOOD, "Nextcloud answers.")
        yield Check("login", State.BAD, f"Nextcloud does not accept name and password. {ADVICE} and set both.")
        return
    except InMaintenance:
        advice = "Its operator ends that with `occ maintenance:mode --off`; until then no tool works."
        yield Check("reachable", State.BAD, f"Nextcloud answers, and is in maintenance mode. {advice}")
        return
    except Failure as failure:
        yield unreachable("Nextcloud", failure)
        return
    yield Check("reachable", State.GOOD, "Nextcloud answers.")
    yield Check("login", State.GOOD, f"It belongs to {user.name} ({user.id}).")
    yield _password(settings)
    try:
        capabilities = await client.account.capabilities()
        yield Check("version", State.GOOD, f"It is Nextcloud {capabilities.version}.")
        yield await _apps(client)
    except Failure as failure:
        yield Check("version", State.BAD, str(failure))


def _password(settings: Settings) -> Check:
    if settings.has_app_password:
        return Check("password", State.GOOD, "It is an app password, which can be withdrawn on its own.")
    advice = f"{ADVICE} and set NEXTCLOUD_PASSWORD: it can be withdrawn on its own."
    return Check("password", State.WARNING, f"It looks like the login password. {advice}")


async def _apps(client: NextcloudClient) -> Check:
    installed = ", ".join(sorted(app.id for app in await client.account.apps())) or "none"
    wanted = [toolset.app for toolset in published_toolsets("aboveboard.nextcloud") if toolset.app is not None]
    missing = [app for app in wanted if not await client.account.has_app(app)]
    found = f"Installed: {installed}."
    if missing:
        return Check(
            "apps",
            State.WARNING,
            f"{found} Some tools are not listed because these apps are not installed: {', '.join(missing)}.",
        )
    return Check("apps", State.GOOD, f"{found} Every tool can be used.")
