"""Glossary: every metric with its formula, and this file's numbers put into it."""

import streamlit as st

from ui import blocks, glossary

st.title("Glossary")
evaluation = blocks.evaluation_if_any()
glossary.introduction(evaluation)
glossary.entries(evaluation)
