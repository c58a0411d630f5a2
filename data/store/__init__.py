"""Named bytes that last: a folder, an object store or memory; tables, links, expiry."""
