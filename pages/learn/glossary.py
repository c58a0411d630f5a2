"""Glossary: every metric with its formula, and this file's numbers put into it."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import glossary

heading("Glossary")
evaluation = loaded.evaluation_if_any()
glossary.introduction(evaluation)
glossary.entries(evaluation)
