"""Links: what was shared, until when, and how to take it back."""

import streamlit as st

from ui import loaded, push_keys, shared_links

st.title("Shared links")
loaded.evaluation_if_any()
shared_links.page()
push_keys.panel()
