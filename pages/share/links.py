"""Links: what was shared, until when, and how to take it back."""

import streamlit as st

from ui.frame import loaded
from ui.share import api_keys, shared_links

st.title("Shared links")
loaded.evaluation_if_any()
shared_links.page()
api_keys.panel()
