"""The answers of the reading API, and the schemas that describe them."""
