"""TTL01: a tool without a title."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET

RULE = "TTL01"
PROFILE = "anthropic"
TOOLS = [{key: value for key, value in GET.items() if key != "title"}]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
