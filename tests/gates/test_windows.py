"""What can be checked of Windows without it: nothing that only POSIX has is needed to load any module."""

import subprocess
import sys

PROGRAM = """
import importlib, os, pkgutil, sys, types
# The packages of others choose by the system that they find when they are loaded.
import apsw, asyncio, click, jinja2, mcp.server.stdio, multiprocessing, numpy, onnxruntime, pathspec, platformdirs
import psycopg, psycopg_pool, pygments.lexers, rich.console, rich.progress, shutil, socket, starlette.applications
import subprocess, tarfile, tempfile, uvicorn, watchfiles, webbrowser
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "killpg", "setsid", "getpgid", "getpgrp", "pread", "statvfs", "WNOHANG"):
    delattr(os, name)
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.platform = "win32"
import recollect
for module in pkgutil.walk_packages(recollect.__path__, "recollect."):
    if not module.name.endswith(("__main__", "adapters.langchain", "adapters.llamaindex")):
        importlib.import_module(module.name)
print("all")
"""


def test_every_module_loads_without_what_only_posix_has():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stdout.strip() == "all", done.stderr
