"""The page Parsing: outcomes of the answers, and the editor of the parser."""
