class Client:
    def send(self):
        pass

    def __enter__(self) -> "Client":
        return self


def connect() -> Client:
    return Client()


def send():
    pass
