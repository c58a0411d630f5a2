"""Write what a comparison of runs found: numbers, sentences, epochs."""
