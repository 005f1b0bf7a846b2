from __future__ import annotations

from typing import Optional

from . import billing
from .base import Base
from .billing import Client as Billing, send
from .mail import Client, connect


class Cart(Base):
    mailer: Client

    def __init__(self, name, client: Billing):
        super().__init__(name)
        self.client = client
        self.backup: Optional[Client] = None
        self.gate = connect()

    def save(self):
        super().save()
        self.client.send()
        self.mailer.send()
        self.backup.send()
        self.gate.send()
        self.close()

    def total(self):
        def send():
            return 1

        return send()

    @staticmethod
    def build() -> Cart:
        return Cart("x", Billing())

    @classmethod
    def default(cls):
        return cls.build()


class Small(Cart):
    def validate(self):
        return self.total()


def run(send):
    send()


def shadow():
    validate = 3
    connect = make_local()
    connect()
    return validate


def make_local():
    return lambda: 1


def work():
    cart = Cart.build()
    cart.save()
    Cart.default().close()
    send()
    billing.send()
    billing.Client().send()
    other = billing
    with connect() as gate:
        gate.send()
    for each in carts():
        each.total()
    anything.send()


def carts() -> list[Cart]:
    found = []
    found.append(Small("y", None))
    return found


def unknown(thing):
    thing.validate()
