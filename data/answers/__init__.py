"""Labels read from the free text answers of a language model by a declared parser."""
