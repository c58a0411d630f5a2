"""Glossary: every metric with its formula, and this file's numbers put into it."""

import streamlit as st

from ui.frame import loaded
from ui.learn import glossary

st.title("Glossary")
evaluation = loaded.evaluation_if_any()
glossary.introduction(evaluation)
glossary.entries(evaluation)
