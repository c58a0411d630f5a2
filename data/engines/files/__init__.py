"""Find the files of a source, in folders and in object stores, and refuse what plain files do not say."""
