"""Recorded steps about content and people: which endpoints, whose part the shop's things play, what differs and why."""

from collections.abc import Mapping

from aboveboard.lightdash.sandbox.app import parts

AREAS = frozenset(
    {
        *("charts", "charts-as-code", "comments", "content-search", "dashboards", "dashboards-as-code", "errors"),
        *("groups", "health-and-auth", "organization", "pinning-favorites-verification-promotion", "projects"),
        *("roles", "schedulers", "spaces", "tags", "users", "validation"),
    }
)

# Every route that the sandbox has; that none is missing is for LEFT_OUT to show. Those of the data catalogue are told
# in query_steps: by its form, the route of a metric would also take the paths of metric trees, which are not here.
ENDPOINTS = tuple(
    (route.method, "/".join("*" if part.startswith("{") else part for part in route.path.split("/")))
    for route in parts().routes
    if "/dataCatalog/" not in route.path
)

_MAIN, _PREVIEW = (f"1a000000-0000-4000-8000-{number:012d}" for number in (1, 2))
_SALES, _ARCHIVE, _CUSTOMERS, _FINANCE = (f"2a000000-0000-4000-8000-{number:012d}" for number in (1, 3, 4, 5))
_REFUNDS, _REVIEW = "3a000000-0000-4000-8000-000000000011", "4a000000-0000-4000-8000-000000000004"
# Whose part a thing of the sandbox plays.
CAST: Mapping[str, str] = {
    "172a2270-000f-42be-9c68-c4752c23ae51": "0a000000-0000-4000-8000-000000000001",
    "42339eef-359e-4ec4-b810-54ef0b4e3446": "0a000000-0000-4000-8000-000000000002",
    "3675b69e-8324-4110-bdca-059031aa8da3": _MAIN,
    "e70ecc69-935e-48f0-8647-ef9ec080e184": _PREVIEW,
    "9165ffb9-6c25-41d1-8360-c8a475dc93ad": _CUSTOMERS,
    "8f5f1cf7-29cf-40ec-81b9-eb40c24f8d20": _SALES,
    "007bdc2d-acea-4030-a6d8-aceafd3a80df": _FINANCE,
    "5b8a56f0-d40b-44ed-b4c0-70f8d9398d16": _FINANCE,
    "fbb5b528-5c37-4ac3-9a0d-f74ed5bfdfec": _ARCHIVE,
    "008e4414-8851-4fac-84fd-65fd87490732": _REFUNDS,
    "b85b94aa-7506-4dc1-961f-a696f2eb14d6": _REVIEW,
    "421b154e-b4e1-4b50-80da-443f70035c82": "3a000000-0000-4000-8000-000000000006",
    "c3bcc7a3-7d9d-408d-8e38-0086f97767a3": "bb000000-0000-4000-8000-000000000001",
    "2a0dd614-3f7f-44f4-92dd-4f65022e6a7e": "bb000000-0000-4000-8000-000000000003",
    "1d14b3c6-f80d-4979-8a11-8ce55b3add1c": "8a000000-0000-4000-8000-000000000001",
    "b264d83a-9000-426a-85ec-3f9c20f368ce": "0b000000-0000-4000-8000-000000000001",
    "80fb8b59-d6b7-4ed6-b969-9849310f3e53": "0b000000-0000-4000-8000-000000000002",
    "e0dd2003-c291-4e14-b977-7a03b7edc842": "0b000000-0000-4000-8000-000000000003",
    "57cd4548-cbe3-42b3-aa13-97821713e307": "0b000000-0000-4000-8000-000000000009",
    "jaffle-shop": "customers-caf-s",
    "jaffle_shop": "customers_caf_s",
    "rig-space": "finance",
    "jaffle-dashboard": "weekly-review",
    "demo3@lightdash.com": "vera@corner-shop.example",
    "demo2@lightdash.com": "edith@corner-shop.example",
    "demo2%40lightdash.com": "edith%40corner-shop.example",
    "another@lightdash.com": "otto@rival-shop.example",
    "another%40lightdash.com": "otto%40rival-shop.example",
    "demo@lightdash.com": "ada@corner-shop.example",
    "searchQuery=demo2": "searchQuery=edith",
    "searchQuery=rig": "searchQuery=monday",
    "search=customer": "search=payments",
    "unique_order_count": "order_count",
    "Jaffle shop": "Corner Shop",
    "http://127.0.0.1:18088": "http://localhost",
}

_ANY_SPACE = {"results.inheritsFromOrgOrProject": "which space something without one lands in is nobody's choice"}
_OWN_CHARTS = "the recording is cut after three charts of other kinds"
_CODED_CHARTS = {
    f"results.charts[chart]{path}": _OWN_CHARTS
    for path in (
        *("", ".chartConfig.config", ".chartConfig.config.eChartsConfig.series[]", ".chartConfig.config.label"),
        *(".chartConfig.config.eChartsConfig.series[].areaStyle", ".metricQuery.tableCalculations"),
    )
}
_CODED_BOARDS = {
    f"results.dashboards[dashboard].{path}": "the recording is cut after three dashboards without tabs and filters"
    for path in ("tabs", "tabs[]", "tiles[markdown].tabSlug", "tiles[saved_chart].tabSlug", "filters.dimensions")
}
_SHARED = {"results.spaces[space].access.users[].role": "the shop's finance is shared with an editor too"}
_CUT_RULES = "the recording is cut after three rules"
DIFFERENCES: Mapping[str, Mapping[str, str]] = {
    "charts crud/create-no-space": _ANY_SPACE,
    "dashboards crud/create-no-space": _ANY_SPACE,
    "dashboards crud/create-bad-tile-type": {"body": "the recorded text is cut"},
    "charts-as-code download/as-admin": _CODED_CHARTS,
    "charts-as-code download/as-editor": _CODED_CHARTS,
    "dashboards-as-code download/as-admin": _CODED_BOARDS,
    "dashboards-as-code download/as-editor": _CODED_BOARDS,
    "spaces code/list": _SHARED,
    "spaces code/list-old-form": _SHARED,
    "content-search favourite-search/project-search-escape-dotdot": {
        "results.fields": "no description of the shop's trails off in dots"
    },
    "content-search favourite-search/project-search-escape-hash": {
        f"results.{kind}[].validationErrors": "nothing was validated" for kind in ("dashboards", "savedCharts")
    },
    "projects settings/search": {"results": "the recording is cut after some of the kinds"},
    "projects settings/search-empty": {
        f"results.pages{path}": "pages of the browser are not found" for path in ("", "[].uuid")
    },
    "errors routes/swagger": {"status": "the API's documentation page is not served"},
    "errors headers/if-none-match": {"status": "the ETag is that of the recorded answer"},
    "projects list/as-other-org": {"results": "the other organisation has a project here, to test isolation with"},
    "dashboards-as-code download/language-map": {
        f"results.languageMap[].dashboard.weekly-review.tiles[{kind}]{path}": "the recording is cut, under another slug"
        for kind in ("markdown", "saved_chart")
        for path in ("", ".properties")
    },
    "pinning-favorites-verification-promotion promotion/upstream-diff": {
        "results.fields": "both projects have the same explores here"
    },
    "projects settings/most-popular": {
        "results.recentlyUpdated[]": "the recording is cut after three charts, and the newest here is a dashboard"
    },
    "projects settings/user-activity": {
        f"results.{name}": "nobody counts what a person asks and looks at here"
        for name in (
            *("tableMostQueries", "tableMostQueries[].userUuid"),
            *("userMostViewedDashboards", "userMostViewedDashboards[].userUuid"),
        )
    },
    "schedulers logs/logs": {
        f"results.data.schedulers[]{path}": "the recording is cut after three deliveries of one chart by mail"
        for path in ("", ".targets[]", ".message", ".savedChartUuid", ".savedChartName")
    },
    "health-and-auth whoami/account": {
        f"results.user.abilityRules[].conditions{path}": _CUT_RULES for path in ("", ".access", ".access.$elemMatch")
    },
}

# Steps of these areas that are not replayed: what their path looks like, and why.
LEFT_OUT: Mapping[str, str] = {
    r"(GET|POST) .*/availableFilters": "what the browser's filter menu asks for",
    r"POST /api/v1/saved/[^/]+/(results|calculate-total)": "deprecated; the v2 query routes replace it",
    r".*/rename/.*": "renaming a field in all content is a developer's command, and no tool of ours",
    r"GET .*/compile-logs": "nothing is compiled, so there is no log of it",
    r"GET .*/custom-metrics": "deprecated, and for the browser",
    r".*/(login|login-options|oauth/token|oauth-authorization-server)": "signing in is for browsers; here are tokens",
}
