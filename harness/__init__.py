"""Ask models about the rows of a file, and write predictions: what `cli.py run` and `cli.py judge` do."""
