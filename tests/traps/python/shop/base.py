class Base:
    def __init__(self, name):
        self.name = name

    def save(self):
        self.validate()

    def validate(self):
        pass

    def close(self):
        pass
