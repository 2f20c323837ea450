"""The variables in clients' configuration files: `${env:NAME}`, `${NAME:-default}`, `${input:id}`, folders."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from aboveboard.audit.probe.wire import Unreadable

_VARIABLE: Final = re.compile(r"\$\{([^{}]+)\}")


class Variables:
    """What stands for what: the environment, the inputs that were given, and the file's own folder."""

    def __init__(
        self, file: Path, environment: Mapping[str, str], inputs: Mapping[str, str], asked: Mapping[str, Any]
    ) -> None:
        workspace = file.parent.parent if file.parent.name in (".vscode", ".cursor") else file.parent
        self._fixed = {
            "workspaceFolder": str(workspace),
            "workspaceFolderBasename": workspace.name,
            "userHome": str(Path.home()),
            "cwd": str(Path.cwd()),
            "pathSeparator": os.sep,
            "/": os.sep,
        }
        self._environment, self._inputs, self._asked = environment, inputs, asked

    def filled(self, value: Any) -> Any:
        """Fill in the variables of every text in a value."""
        if isinstance(value, str):
            return _VARIABLE.sub(lambda match: self._value(match[1]), value)
        if isinstance(value, Mapping):
            return {key: self.filled(one) for key, one in cast("Mapping[str, Any]", value).items()}
        if isinstance(value, list):
            return [self.filled(one) for one in cast("list[Any]", value)]
        return value

    def _value(self, name: str) -> str:
        if name in self._fixed:
            return self._fixed[name]
        if name.startswith("input:"):
            return self._input(name.removeprefix("input:"))
        variable, with_default, default = name.removeprefix("env:").partition(":-")
        if variable in self._environment:
            return self._environment[variable]
        if with_default:
            return default
        raise Unreadable(f"It needs the environment variable {variable}.", next_step=f"Set {variable} and try again.")

    def _input(self, name: str) -> str:
        if name in self._inputs:
            return self._inputs[name]
        asked = cast("Mapping[str, Any]", self._asked.get(name, {}))
        if isinstance(asked.get("default"), str):
            return asked["default"]
        what = f" ({asked['description']})" if asked.get("description") else ""
        raise Unreadable(f"It needs the input {name!r}{what}.", next_step=f"Pass --input {name}=VALUE.")


def inputs_asked(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs that a VS Code configuration asks its user for, by id."""
    inputs = document.get("inputs")
    if not isinstance(inputs, list):
        return {}
    asked = (cast("Mapping[str, Any]", one) for one in cast("list[Any]", inputs) if isinstance(one, Mapping))
    return {str(one.get("id")): one for one in asked}
