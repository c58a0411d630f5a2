"""The part of Choose that is about where the model will run: its controls, pictures and decision sheet."""
