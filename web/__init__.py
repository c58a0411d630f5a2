"""Check requests between the network and the app: who may ask, what may come in, which headers an answer has."""
