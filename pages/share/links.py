"""Links: what was shared, until when, and how to take it back."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.share import api_keys, shared_links

heading(*shared_links.head())
loaded.evaluation_if_any()
shared_links.page()
api_keys.panel()
