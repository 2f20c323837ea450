"""The project's parameters: values that queries may set."""

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.engine.shop import PARAMETERS
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import Call, Routes

routes = Routes()


@routes.get("/api/v2/projects/{project}/parameters")
def get_parameters(call: Call) -> object:
    """The parameters by name, those that were asked for or all."""
    access.project(call)
    wanted = Checks(call.query).texts("names")
    return {
        name: config | {"type": config.get("type", "string")}
        for name, config in PARAMETERS.items()
        if not wanted or name in wanted
    }


@routes.get("/api/v2/projects/{project}/parameters/list")
def list_parameters(call: Call) -> object:
    checks = Checks(call.query)
    page, size = read_page(checks)
    search = checks.text("search")
    checks.done()
    access.project(call)
    found = [
        {"name": name, "config": config, "source": "config", "modelName": None}
        for name, config in sorted(PARAMETERS.items())
        if not search or search.casefold() in f"{name} {config['label']}".casefold()
    ]
    return list_body(found, wanted_page(page, size))
