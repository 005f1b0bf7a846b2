"""How often an order is sent again."""


class RetryPolicy:
    """Attempts and waiting times; doubles the wait each time."""

    attempts = 3

    def waiting_time(self, attempt: int) -> float:
        """Return the seconds to wait after a failed attempt."""
        return 0.5 * 2**attempt
