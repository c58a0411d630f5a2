"""Write the OpenAPI document of the reading API anew: `python -m scripts.write_api`."""

from pathlib import Path

from export.read_api.openapi import openapi_json

if __name__ == "__main__":
    (Path(__file__).resolve().parents[1] / "docs" / "api.json").write_text(openapi_json(), encoding="utf-8")
