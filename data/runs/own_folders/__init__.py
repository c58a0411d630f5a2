"""Folders and files of the person who calls the command line: counted by an engine, and nothing is kept."""
