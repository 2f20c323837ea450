"""Fixture tools that need an answer before they can finish: they return their questions, and the client calls again."""

import mcp_types as mcp
from tests.conformance.stage import Stage, answered, form, params, sampling, text

from aboveboard.effects import READ
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Raw, Toolset

tools = Toolset[Stage]("questions", title="Questions", icon="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z")

NAME = form("What is your name?", "name")
CONFIRM = form("Please confirm.", "ok", "boolean")


def _ask(state: str | None = None, **requests: mcp.InputRequest) -> mcp.InputRequiredResult:
    return mcp.InputRequiredResult(input_requests=requests, request_state=state)


@tools.tool("Ask The User", READ)
async def test_input_required_result_elicitation(stage: Stage, call: Call) -> Raw:
    """Ask the user for a name, and greet."""
    given = answered(params(call).input_responses, "user_name", mcp.ElicitResult)
    return text(f"Hello, {(given.content or {}).get('name')}!") if given else _ask(user_name=NAME)


@tools.tool("Ask While Streaming", READ)
async def test_streaming_elicitation(stage: Stage, call: Call) -> Raw:
    """Ask the user for a name, as a result and never as a request on the stream."""
    return await test_input_required_result_elicitation(stage, call)


@tools.tool("Ask The Model", READ)
async def test_input_required_result_sampling(stage: Stage, call: Call) -> Raw:
    """Ask the client's model."""
    given = answered(params(call).input_responses, "capital_question", mcp.CreateMessageResult)
    return text(f"{given.content}") if given else _ask(capital_question=sampling("What is the capital of France?"))


@tools.tool("Ask For Roots", READ)
async def test_input_required_result_list_roots(stage: Stage, call: Call) -> Raw:
    """Ask for the client's folders."""
    given = answered(params(call).input_responses, "client_roots", mcp.ListRootsResult)
    if given is None:
        return _ask(client_roots=mcp.ListRootsRequest())
    return text(", ".join(str(root.uri) for root in given.roots))


@tools.tool("Ask With State", READ)
async def test_input_required_result_request_state(stage: Stage, call: Call) -> Raw:
    """Ask for a confirmation, and know the question again."""
    given = answered(params(call).input_responses, "confirm", mcp.ElicitResult)
    return text("state-ok") if given and params(call).request_state == "asked" else _ask("asked", confirm=CONFIRM)


@tools.tool("Ask With Sealed State", READ)
async def test_input_required_result_tampered_state(stage: Stage, call: Call) -> Raw:
    """Ask for a confirmation whose state nobody can alter."""
    return await test_input_required_result_request_state(stage, call)


@tools.tool("Ask Several", READ)
async def test_input_required_result_multiple_inputs(stage: Stage, call: Call) -> Raw:
    """Ask the user, the model and the client at once."""
    responses = params(call).input_responses
    name = answered(responses, "user_name", mcp.ElicitResult)
    greeting = answered(responses, "greeting", mcp.CreateMessageResult)
    roots = answered(responses, "client_roots", mcp.ListRootsResult)
    if name and greeting and roots:
        return text(f"{greeting.content} {name.content}, {len(roots.roots)} roots")
    greet = sampling("Generate a greeting", max_tokens=50)
    return _ask("asked", user_name=NAME, greeting=greet, client_roots=mcp.ListRootsRequest())


@tools.tool("Ask Twice", READ)
async def test_input_required_result_multi_round(stage: Stage, call: Call) -> Raw:
    """Ask a second question after the first is answered."""
    responses, state = params(call).input_responses, params(call).request_state
    if state == "second" and answered(responses, "step2", mcp.ElicitResult):
        return text("Both questions are answered.")
    if state == "first" and answered(responses, "step1", mcp.ElicitResult):
        return _ask("second", step2=form("Step 2: What is your favorite color?", "color"))
    return _ask("first", step1=form("Step 1: What is your name?", "name"))


@tools.tool("Ask What Is Possible", READ)
async def test_input_required_result_capabilities(stage: Stage, call: Call) -> Raw:
    """Ask only what the client says that it can answer."""
    can = call.context.session.client_capabilities or mcp.ClientCapabilities()
    requests: mcp.InputRequests = {}
    if can.sampling is not None:
        requests["capital_question"] = sampling("What is the capital of France?")
    if can.elicitation is not None:
        requests["user_name"] = NAME
    return mcp.InputRequiredResult(input_requests=requests) if requests else text("The client can answer nothing.")
