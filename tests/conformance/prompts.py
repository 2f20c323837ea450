"""The fixture's prompts and completions."""

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from tests.conformance.stage import answered, embedded, form, image

Context = ServerRequestContext[None]


def add_prompts(server: Server[None]) -> None:
    """Serve prompts, which the kit has none of."""
    server.add_request_handler("prompts/list", mcp.PaginatedRequestParams, _list)
    server.add_request_handler("prompts/get", mcp.GetPromptRequestParams, _get)
    server.add_request_handler("completion/complete", mcp.CompleteRequestParams, _complete)


def _prompt(name: str, description: str, *arguments: str) -> mcp.Prompt:
    needed = [mcp.PromptArgument(name=one, description="Any text.", required=True) for one in arguments]
    return mcp.Prompt(name=name, description=description, arguments=needed or None)


PROMPTS = [
    _prompt("test_simple_prompt", "One sentence."),
    _prompt("test_prompt_with_arguments", "One sentence made of two arguments.", "arg1", "arg2"),
    _prompt("test_prompt_with_embedded_resource", "A resource and a sentence.", "resourceUri"),
    _prompt("test_prompt_with_image", "A picture and a sentence."),
    _prompt("test_input_required_result_prompt", "A sentence made of what the user answers."),
]


async def _list(context: Context, params: mcp.PaginatedRequestParams) -> mcp.ListPromptsResult:
    return mcp.ListPromptsResult(prompts=PROMPTS)


async def _get(context: Context, params: mcp.GetPromptRequestParams) -> mcp.GetPromptResult | mcp.InputRequiredResult:
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _said("This is a simple prompt for testing.")
        case "test_prompt_with_arguments":
            return _said(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        case "test_prompt_with_embedded_resource":
            resource = embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing.")
            return _said("Please process the embedded resource above.", resource)
        case "test_prompt_with_image":
            return _said("Please analyze the image above.", image())
        case "test_input_required_result_prompt":
            return _asked(params)
        case name:
            raise MCPError(code=mcp.INVALID_PARAMS, message=f"There is no prompt {name!r}.")


def _asked(params: mcp.GetPromptRequestParams) -> mcp.GetPromptResult | mcp.InputRequiredResult:
    answer = answered(params.input_responses, "user_context", mcp.ElicitResult)
    if answer is None:
        question = form("What context should the prompt use?", "context")
        return mcp.InputRequiredResult(input_requests={"user_context": question})
    return _said(f"The context is {(answer.content or {}).get('context')}.")


def _said(words: str, *before: mcp.ContentBlock) -> mcp.GetPromptResult:
    contents = [*before, mcp.TextContent(text=words)]
    return mcp.GetPromptResult(messages=[mcp.PromptMessage(role="user", content=content) for content in contents])


async def _complete(context: Context, params: mcp.CompleteRequestParams) -> mcp.CompleteResult:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return mcp.CompleteResult(completion=mcp.Completion(values=values, total=len(values), has_more=False))
