"""Where candidates come from, one file a channel."""
