"""One row a metric: the registry, its entries, and the tree that chooses a metric."""
