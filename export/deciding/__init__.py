"""The decision sheet: what a threshold does where the model will run, as a result for every format."""
