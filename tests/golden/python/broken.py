import os


def before(path):
    return os.stat(path)


class Broken:
    def fine(self):
        return before("a")

    def open(self, value
        return value +

    def after_open(self):
        return self.fine()


def after():
    return Broken().fine()
