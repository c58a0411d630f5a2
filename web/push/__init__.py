"""Endpoints for programs that send files and get links."""
