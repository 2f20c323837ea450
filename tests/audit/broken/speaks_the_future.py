"""A server that answers with a protocol version that nobody knows."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    error = {"code": -32601, "message": "Method not found"}
    greeting = {"protocolVersion": "2099-01-01", "capabilities": {}, "serverInfo": {"name": "future", "version": "1"}}
    body = {"result": greeting} if request["method"] == "initialize" else {"error": error}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request.get("id"), **body}) + "\n")
    sys.stdout.flush()
