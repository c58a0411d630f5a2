"""The OpenAPI document, and the schemas in it."""

import math
import re
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest

from export.read_api.answers import to_json
from export.read_api.endpoints import list_endpoints
from export.read_api.openapi import openapi
from export.read_api.schemas import schema_of

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_page_lists_every_path_and_parameter():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    lines = dict(re.findall(r"^\| `GET /api/v1/runs/ID([^`]*)` \|(.*)$", page, flags=re.MULTILINE))
    assert list(lines) == [endpoint.path for endpoint in list_endpoints()]
    for endpoint in list_endpoints():
        for parameter in endpoint.parameters:
            assert f"`{parameter.name}`" in lines[endpoint.path]


def test_schemas_are_schemas():
    for path in openapi()["paths"].values():
        for answer in path["get"]["responses"].values():
            for content in answer.get("content", {}).values():
                jsonschema.Draft202012Validator.check_schema(content.get("schema", {}))


class _Inner(NamedTuple):
    value: float


class _Outer(NamedTuple):
    name: str
    inner: _Inner | None
    many: list[_Inner]


@pytest.mark.parametrize("value", [0.5, math.nan, math.inf])
def test_schema_of_a_type_fits_its_json(value):
    written = to_json(_Outer("a", _Inner(value), [_Inner(1.0)]))
    assert written["inner"]["value"] == (value if math.isfinite(value) else None)
    jsonschema.validate(written, schema_of(_Outer))
    for wrong in ({**written, "more": 1}, {"name": "a"}, {**written, "many": [{"value": "1"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema_of(_Outer))
