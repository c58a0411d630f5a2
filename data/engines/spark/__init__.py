"""Spark as an engine: its sessions, its tables, and the questions it answers."""
