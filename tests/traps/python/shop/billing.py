class Client:
    def send(self):
        return send()

    def validate(self):
        pass


def send():
    pass
