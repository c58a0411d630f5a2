"""Glossary: every metric with its definition, its formula, and this file's numbers put into it."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import glossary

evaluation = loaded.evaluation_if_any()
heading(glossary.title(evaluation))
with st.container(key="beside-search"):
    left, middle, right = st.columns([0.42, 0.42, 0.16], vertical_alignment="bottom")
with left:
    glossary.introduction(evaluation)
with middle:
    text = glossary.search()
with right:
    glossary.symbols()
glossary.entries(evaluation, text)
