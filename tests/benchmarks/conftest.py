"""Say what pytest leaves alone here."""

collect_ignore = ["plain_slider.py"]  # a Streamlit script, not a module to look for examples in
