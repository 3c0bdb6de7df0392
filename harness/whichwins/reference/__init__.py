"""The oracle: a strict, lossless RFC 8259 reader, expectation layers, twins, the guard."""
