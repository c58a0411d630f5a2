"""Glossary: every metric with its definition, its formula, and this file's numbers put into it."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import glossary

evaluation = loaded.evaluation_if_any()
heading(glossary.title(evaluation))
with st.container(key="beside-search"):
    left, right = st.columns(2)
with left:
    glossary.introduction(evaluation)
with right:
    text = glossary.search()
glossary.entries(evaluation, text)
