"""The state of a knowledge graph in a file of JSON lines: `memory.py reset FILE` writes it anew, `show` prints it."""

import json
import sys
from pathlib import Path

SEED = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["writes programs"]},
    {"type": "entity", "name": "Engine", "entityType": "machine", "observations": ["has a mill", "has a store"]},
    {"type": "relation", "from": "Ada", "to": "Engine", "relationType": "describes"},
]


def reset(file: Path) -> None:
    """Write the graph that a run begins with."""
    file.write_text("\n".join(map(json.dumps, SEED)), "utf-8")


def show(file: Path) -> None:
    """Print entities by name, and relations."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]
    entities = {one["name"]: one for one in lines if one["type"] == "entity"}
    relations = [f"{one['from']} {one['relationType']} {one['to']}" for one in lines if one["type"] == "relation"]
    sys.stdout.write(json.dumps({"entities": entities, "relations": relations}))


if __name__ == "__main__":
    {"reset": reset, "show": show}[sys.argv[1]](Path(sys.argv[2]))
