"""Hand out the rows of an evaluation with a script that computes every number again."""
