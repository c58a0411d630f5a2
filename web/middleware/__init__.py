"""ASGI middleware between the network and Streamlit."""
