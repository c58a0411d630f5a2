"""Words, numbers and uploaded text in sentences: a leaf that imports nothing of ours."""
