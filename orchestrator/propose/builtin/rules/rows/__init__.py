"""What rows should agree on: rules that compare rows with each other. Called by `catalogue`, after single cells."""
