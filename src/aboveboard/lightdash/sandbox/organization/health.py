"""Whether the instance is up, and its limits; open to anybody."""

from typing import Any

from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import VERSION, json_response
from aboveboard.sandbox.wire import Response

routes = Routes()

_QUERY = {
    "csvCellsLimit": 100000,
    "maxLimit": 5000,
    "csvMaxLimit": 5000000,
    "queryMaxLimit": 5000,
    "maxPageSize": 2500,
    "defaultLimit": 500,
    "retryQueryOnTransientErrors": False,
}
_AUTH = {
    "disablePasswordAuthentication": False,
    "google": {"loginPath": "/login/google", "enabled": False, "enableGCloudADC": False},
    "okta": {"loginPath": "/login/okta", "enabled": False},
    "oneLogin": {"loginPath": "/login/oneLogin", "enabled": False},
    "azuread": {"loginPath": "/login/azuread", "enabled": False},
    "oidc": {"loginPath": "/login/oidc", "enabled": False},
    "pat": {},
    "snowflake": {"enabled": False},
    "databricks": {"enabled": False},
}
_SENTRY = {
    "frontend": {"dsn": ""},
    "environment": "development",
    "release": VERSION,
    "tracesSampleRate": 0.1,
    "profilesSampleRate": 0.2,
}
_EMBEDDING: dict[str, object] = {
    "enabled": False,
    "events": {
        "enabled": False,
        "rateLimiting": {"maxEventsPerWindow": 10, "windowDurationMs": 1000},
        "allowedOrigins": [],
        "enablePostMessage": False,
    },
}
_HEALTH: dict[str, Any] = {
    "healthy": True,
    "requiresMigration": False,
    "mode": "development",
    "version": VERSION,
    "localDbtEnabled": True,
    # False even for a valid token: the real server asks for a browser session here.
    "isAuthenticated": False,
    "requiresOrgRegistration": False,
    "latest": {},
    "rudder": {},
    "sentry": _SENTRY,
    "intercom": {"appId": "", "apiBase": "https://api-iam.intercom.io"},
    "pylon": {"appId": ""},
    "headway": {"enabled": True},
    "siteUrl": "http://localhost",
    "staticIp": "",
    "query": _QUERY,
    "dashboard": {"maxTilesPerTab": 50, "maxTabsPerDashboard": 20, "disableSentryTracking": False},
    "pivotTable": {"maxColumnLimit": 200},
    "hasSlack": False,
    "hasGithub": False,
    "hasGitlab": False,
    "auth": _AUTH,
    "hasEmailClient": False,
    "hasPlaygroundProjects": False,
    "hasEmailWhitelabel": False,
    "hasHeadlessBrowser": False,
    "hasExtendedUsageAnalytics": False,
    "hasCacheAutocompleResults": False,
    "appearance": {},
    "hasBrandfetch": False,
    "hasMicrosoftTeams": False,
    "isServiceAccountEnabled": False,
    "isOrganizationWarehouseCredentialsEnabled": False,
    "isAthenaWarehouseIamRoleAuthEnabled": False,
    "isSaveCredentialsFormEnabled": False,
    "isCustomRolesEnabled": False,
    "embedding": _EMBEDDING,
    "ai": {"isAmbientAiEnabled": False, "threadDumpEnabled": False},
    "echarts6": {"enabled": False},
    "funnelBuilder": {"enabled": False},
    "dashboardComments": {"enabled": True},
    "preAggregates": {"enabled": False},
    "dataApps": {"previewOrigin": None, "sampleDataEnabled": True},
}


@routes.get("/api/v1/health", public=True)
def health(call: Call) -> object:
    """State and limits of the instance, and what its operator chose."""
    options = call.store.options
    chosen = {"softDelete": {"enabled": options.soft_delete, "retentionDays": 30}}
    license_ = {"license": {"hasLicenseKey": options.enterprise, "valid": options.enterprise}}
    return _HEALTH | chosen | license_


@routes.get("/api/v1/livez", public=True)
def alive(call: Call) -> Response:
    """Whether the process runs."""
    return json_response({"status": "ok"})


@routes.get("/api/v1/readyz", public=True)
def ready(call: Call) -> Response:
    """Whether it takes requests."""
    return json_response({"status": "ready"})
