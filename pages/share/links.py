"""Links: what was shared, until when, and how to take it back."""

import streamlit as st

from ui import blocks, push_keys, shared_links

st.title("Shared links")
blocks.evaluation_if_any()
shared_links.page()
push_keys.panel()
