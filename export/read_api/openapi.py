"""The OpenAPI document of the reading API, from its endpoints and the schemas of their answers."""

from __future__ import annotations

from typing import Any

from data.version import VERSION
from export.numbers import FORMAT
from export.read_api.endpoints import Endpoint, Parameter, list_endpoints
from export.read_api.schemas import object_schema


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the reading API."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Blindspot, reading API", "version": f"{VERSION}, format {FORMAT}"},
        "security": [{"key": []}],
        "paths": {
            f"/api/v1/runs/{{id}}{endpoint.path}": {"get": _operation(endpoint)} for endpoint in list_endpoints()
        },
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "A key of the scope read."}},
            "schemas": {"Error": object_schema({"error": {"type": "string"}})},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    run = {
        "name": "id", "in": "path", "required": True, "schema": {"type": "string"},
        "description": "The token of a share link, the id of a link of the key's owner, or a sample.",
    }  # fmt: skip
    error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    refused = {
        "400": "a parameter that cannot be used", "401": "no key, or none that holds",
        "403": "a key without the scope read, or links are for others here", "404": "the run opens nothing",
        "422": "the run cannot answer this",
    }  # fmt: skip
    content = {"text/html": {}} if endpoint.schema is None else {"application/json": {"schema": endpoint.schema}}
    return {
        "summary": endpoint.about,
        "operationId": endpoint.path.strip("/") or "run",
        "parameters": [run, *map(_parameter, endpoint.parameters)],
        "responses": {
            "200": {"description": endpoint.about, "content": content},
            "304": {"description": "the copy named by If-None-Match still holds"},
            **{status: {"description": why, **error} for status, why in refused.items()},
        },
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema = parameter_schema(parameter)
    return {"name": parameter.name, "in": "query", "description": parameter.about, "schema": schema}


def parameter_schema(parameter: Parameter) -> dict[str, Any]:
    """Return the JSON Schema of what a parameter takes."""
    schema: dict[str, Any] = {"type": "string"}
    if parameter.most:
        schema = {"type": "integer", "minimum": 0, "maximum": parameter.most}
    elif parameter.choices:
        schema["enum"] = list(parameter.choices)
    return {"type": "array", "items": schema} if parameter.repeats else schema
