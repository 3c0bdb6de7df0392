"""What a ledger says: lenses, classes, winners, matrices, causes."""
