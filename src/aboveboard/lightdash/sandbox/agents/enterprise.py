"""What needs a licence, a service or a browser: routes of the real server that only refuse in its open edition."""

from collections.abc import Callable
from functools import partial

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, json_response, missing

routes = Routes()

_PROJECT = "/api/v1/projects/{project}"
# A part of the real server that the open edition does not have, and what is asked of it.
_SERVICES = {
    "projectHomepageService": ("/api/v1/org/homepage-settings", f"{_PROJECT}/homepage", f"{_PROJECT}/announcements"),
    "organizationWarehouseCredentialsService": ("/api/v1/org/warehouse-credentials",),
    "aiRouterService": ("/api/v1/org/aiRouter",),
    "serviceAccountService": ("/api/v1/service-accounts", "/api/v1/scim/organization-access-tokens"),
    "aiAgentMemoryService": (f"{_PROJECT}/aiAgentMemories",),
    "externalConnectionCoderService": (f"{_PROJECT}/code/externalConnections",),
    "aiAgentCoderService": (f"{_PROJECT}/code/aiAgents",),
    "schedulerAiAugmentationService": ("/api/v1/schedulers/{scheduler}/ai-augmentation",),
}
_SESSION_ONLY = (
    ("PATCH", "/api/v1/org"),
    ("DELETE", "/api/v1/org/{organization}"),
    ("GET", "/api/v1/org/allowedEmailDomains"),
    ("GET", "/api/v1/org/onboardingStatus"),
    ("POST", "/api/v1/user/me/personal-access-tokens"),
    ("DELETE", "/api/v1/user/me/personal-access-tokens/{token}"),
    ("DELETE", "/api/v1/user/me/leaveOrganization"),
    ("GET", "/api/v1/user/me/email/status"),
    ("PATCH", "/api/v1/user/me"),
    ("GET", "/api/v1/user/identities"),
    ("GET", "/api/v1/user/password"),
    ("GET", "/api/v1/slack"),
    ("GET", "/api/v1/github/config"),
    ("GET", "/api/v1/github/repos/list"),
    ("POST", "/api/v1/ssh/key-pairs"),
)
_SSO = "Per-organization SSO settings are not enabled for this organization"
_PROMPTS = "Available prompts: project-onboarding"
_BEARER = 'Bearer resource_metadata="http://localhost/api/v1/oauth/.well-known/oauth-protected-resource"'
_SCIM = "urn:ietf:params:scim:api:messages:2.0:Error"


def unavailable(service: str) -> ServiceError:
    """The open edition does not have this part."""
    return ServiceError(
        422, "MissingConfigError", f"Unable to initialize service '{service}' - no factory or provider."
    )


def _refuse(error: Callable[[], ServiceError], call: Call) -> object:
    del call
    raise error()


for _service, _paths in _SERVICES.items():
    for _path in _paths:
        routes.get(_path)(partial(_refuse, partial(unavailable, _service)))
for _method, _path in _SESSION_ONLY:
    _unauthorised = partial(ServiceError, 401, "AuthorizationError", "Failed to authorize user")
    routes.on(_method, _path)(partial(_refuse, _unauthorised))
for _path in ("/api/v1/org/domains", "/api/v1/org/sso/{provider}"):
    routes.get(_path)(partial(_refuse, partial(forbidden, _SSO)))


@routes.get("/api/v1/org/{organization}/email-whitelabel")
def email_whitelabel(call: Call) -> object:
    """Mail under one's own name is not set up."""
    raise ServiceError(422, "MissingConfigError", "Email whitelabelling is not configured on this instance")


@routes.get("/api/v1/embed/{project}/config")
def embed_config(call: Call) -> object:
    """Embedding wants a browser session."""
    raise forbidden("pat Account is not session auth")


@routes.get("/api/v1/ee/projects/{project}/ai-deep-research")
def deep_research(call: Call) -> object:
    """Research by an agent, which must say in which thread before anything else."""
    contracts.require(call.query, "threadUuid")
    raise unavailable("aiDeepResearchService")


@routes.get("/api/v2/projects/{project}/pre-aggregates/stats")
def pre_aggregates(call: Call) -> object:
    """Nothing is aggregated ahead."""
    nothing = {"page": 1, "pageSize": 0, "totalResults": 0, "totalPageCount": 0}
    return {"data": {"stats": []}, "pagination": nothing}


@routes.get("/api/v1/mcp", public=True)
@routes.on("POST", "/api/v1/mcp", public=True)
def mcp(call: Call) -> object:
    """The instance's own MCP server, which the open edition does not have."""
    if not call.headers.get("authorization"):
        response = json_response({"error": "Unauthorized"}, 401)
        response.headers["www-authenticate"] = _BEARER
        return response
    return json_response({"error": "MCP service not available"}, 422)


@routes.get("/api/v1/scim/v2/Users", public=True)
def scim_users(call: Call) -> object:
    """People as an identity provider asks for them, with a token of its own and errors of its own."""
    known = bool(call.headers.get("authorization"))
    detail = unavailable("serviceAccountService").message if known else "No SCIM token provided"
    return json_response({"schemas": [_SCIM], "detail": detail, "status": "401"}, 401)


@routes.get("/api/v1/slack/channels")
def slack_channels(call: Call) -> object:
    """Nobody has connected Slack."""
    return DONE


@routes.get("/api/v1/gdrive/get-access-token")
def google_token(call: Call) -> object:
    """Nobody has connected Google Drive."""
    raise missing("Cannot find user with refresh token")


@routes.post("/api/v1/dashboards/{dashboard}/export")
def export_image(call: Call) -> object:
    """There is no browser to take a picture with."""
    raise CrashError


@routes.get("/api/v1/geojson-proxy")
def geojson(call: Call) -> object:
    """Maps are fetched from somewhere, and nowhere is reached from here."""
    contracts.require(call.query, "url")
    raise forbidden()


@routes.get("/api/v1/prompts/{prompt}")
def get_prompt(call: Call) -> object:
    """Prompts of the instance's own, by name."""
    raise missing(f"Prompt not found: {call.params['prompt']}. {_PROMPTS}")
