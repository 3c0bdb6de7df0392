"""What a deployment does with a request: boundaries in a row, from raw text to final arguments."""
