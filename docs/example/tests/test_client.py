from shop.client import Client
from shop.retry import RetryPolicy


def test_send():
    assert Client(RetryPolicy()).send("tea")
