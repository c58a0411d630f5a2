"""Read an upload again in another way, without a new upload."""
