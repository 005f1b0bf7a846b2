"""Real git repositories whose commits say when they were made."""

import os
import subprocess

START = 1_700_000_000
DAY = 86_400


class Repository:
    """A repository in a folder; every commit is made a day after the one before."""

    def __init__(self, root):
        self.root = root
        self.days = 0
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments, who="Ann"):
        when = f"{START + self.days * DAY} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        command = ["git", "-c", f"user.name={who}", "-c", f"user.email={who.lower()}@example.org", *arguments]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, env=os.environ | dates)
        return done.stdout.decode()

    def write(self, files):
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def commit(self, files=(), message="Change", who="Ann"):
        self.days += 1
        self.write(dict(files))
        self.git("add", "-A", who=who)
        self.git("commit", "-q", "--allow-empty", "-m", message, who=who)
        return self.head()

    def head(self):
        return self.git("rev-parse", "HEAD").strip()

    def time(self, day):
        return START + day * DAY
