"""Share links: made, redacted, opened, limited; API keys and pushed files."""
