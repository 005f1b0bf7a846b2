"""Writes and takes back what makes an agent use recollect: the entry of the server, and the hooks."""
