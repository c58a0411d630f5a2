"""Load models: an OpenAI-compatible server, or transformers on this machine."""
