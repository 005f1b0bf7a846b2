import shop.mail
import shop.mail as post
from shop import Cart
from shop.base import *


def main():
    Cart.build().save()
    shop.mail.send()
    post.connect().send()
    Base("b").save()


main()
