"""What can be asked: explores, the data catalogue, metrics, parameters."""
