"""Text on a page: uploaded text made safe, messages, buttons that copy, components."""
