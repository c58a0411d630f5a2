"""Know who is looking, and what they keep in their browser."""
