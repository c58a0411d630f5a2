"""Store bytes under names: a folder, an object store or memory; tables, links, expiry."""
