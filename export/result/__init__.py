"""Hold the result of an analysis as typed tables, and render it: terminal, HTML, Markdown, CSV."""
