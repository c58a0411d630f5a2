"""Stand between the network and the app: who may ask, what may come in, what every answer carries."""
