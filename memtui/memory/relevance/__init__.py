"""Which memories go with a question, with reasons, and without a model."""
