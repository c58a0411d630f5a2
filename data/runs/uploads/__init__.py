"""Keep the bytes of uploads for as long as their drafts, to read them again in another way."""
