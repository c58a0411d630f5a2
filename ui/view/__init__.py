"""The view: its parameters in the address, the evaluation in view, caches, controls."""
