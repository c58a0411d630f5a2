"""The decision sheet on the command line."""
