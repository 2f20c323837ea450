"""DRF04: a parameter that was optional in the baseline."""

from tests.audit.liars.stage import GET, ID, serve

RULE = "DRF04"
BASELINE = [GET]
TOOLS = [{**GET, "inputSchema": {**ID, "required": ["id"]}}]

if __name__ == "__main__":
    serve(TOOLS)
