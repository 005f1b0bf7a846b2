"""Talks to the shop's server."""

import time

from shop.retry import RetryPolicy


class Client:
    """Sends orders and waits between attempts as its policy says."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy

    def send(self, order: str) -> bool:
        """Send one order; try again while the line is bad."""
        for attempt in range(self.policy.attempts):
            if deliver(order):
                return True
            time.sleep(self.policy.waiting_time(attempt))
        return False


def deliver(order: str) -> bool:
    """Put an order on the wire."""
    return bool(order)
