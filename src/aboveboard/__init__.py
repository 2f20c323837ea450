"""MCP servers whose tools do exactly what their labels say, and the auditor that proves it."""

from typing import Final

__version__: Final = "0.1.0"
