"""A line to a server that can be cut: at once, or at a message of the client, before or after the server gets it."""

import contextlib
import socket
import threading


class Proxy:
    """Forwards connections until it is told to cut one."""

    def __init__(self, port):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.messages = 0
        self.cuts = 0
        self._cut_at = 0
        self._heard = False
        self._guard = threading.Lock()
        self._open = set()
        self._away = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_at(self, message, heard):
        """Cut the line at this message of the client, counted from now; `heard` says whether the server gets it."""
        with self._guard:
            self.messages, self._cut_at, self._heard = 0, message, heard

    def cut(self):
        """Cut every line at once."""
        with self._guard:
            lines, self._open = self._open, set()
        for line in lines:
            _end(line)

    def leave(self):
        """Cut every line and refuse new ones."""
        self._away = True
        self.cut()

    def come_back(self):
        self._away = False

    def close(self):
        self._listener.close()
        self.cut()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._away:
                _end(client)
                continue
            server = socket.create_connection(("127.0.0.1", self._target))
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._guard:
                self._open |= {client, server}
            threading.Thread(target=self._forward, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._forward, args=(server, client, False), daemon=True).start()

    def _forward(self, source, target, counted):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if counted and self._is_last():
                    if self._heard:
                        target.sendall(data)
                    break
                target.sendall(data)
        _end(source)
        _end(target)

    def _is_last(self):
        with self._guard:
            self.messages += 1
            last = self.messages == self._cut_at
            if last:
                # Counted before the server hears it: its answer may reach the client before this thread goes on.
                self._cut_at = 0
                self.cuts += 1
            return last


def _end(line):
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
