"""Facts about the columns of one table: names, kinds, known tools, count columns, score scale."""
