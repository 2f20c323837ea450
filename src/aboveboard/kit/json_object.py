"""A parameter that holds an object of any form: values by names that a user chose, a document that a service defines.

It is published as JSON text. Gemini takes no object whose properties are not named, nor does OpenAI's strict mode.
The object itself is taken too, as most clients would send it.
"""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema


def _read(given: object) -> object:
    """Read JSON text; what is none is left as it is, for the check to refuse."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except ValueError:
        return given


JsonObject = Annotated[dict[str, Any], BeforeValidator(_read), WithJsonSchema({"type": "string"})]
"""Its description begins with "JSON object"."""
