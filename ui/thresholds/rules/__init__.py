"""Inputs and sentences of the rules that choose a threshold."""
