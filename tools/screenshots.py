"""Takes the pictures of the local page that stand in docs/web.md: this repository with a few memories, in Chromium.

Usage: tools/screenshots.py [NAME ...]   writes docs/screens/NAME.png; without names all of them
"""

from __future__ import annotations

import base64
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "docs" / "screens"
MEMORIES: tuple[dict[str, Any], ...] = (
    {
        "text": "Parsing runs in plain subprocesses: a grammar that crashes costs one file, never the index.",
        "kind": "decision",
        "tags": ["index", "faults"],
        "author": "Ada",
        "created": "2026-03-02T09:12:00",
    },
    {
        "text": "The index is compared with the disk once a minute.",
        "kind": "fact",
        "tags": ["freshness"],
        "author": "Ben",
        "created": "2026-04-18T15:40:00",
    },
    {
        "text": "Freshness is computed for the files of an answer before they are shown; no stored stamp is trusted.",
        "kind": "decision",
        "tags": ["freshness"],
        "author": "Ada",
        "created": "2026-05-06T10:05:00",
        "replaces": 1,
    },
    {
        "text": "Watching single files with inotify ran out of watches on a large monorepo. Do not try it again.",
        "kind": "negative",
        "tags": ["watch", "freshness"],
        "author": "Ben",
        "created": "2026-05-06T16:31:00",
    },
    {
        "text": "To try a change of the ranking: recollect profile diff, then bench compare on development data.",
        "kind": "procedure",
        "tags": ["ranking", "bench"],
        "priority": "P1",
        "created": "2026-06-11T08:20:00",
        "pinned": True,
    },
    {
        "text": "Answers say that they are partial while the first index is being built.",
        "kind": "fact",
        "tags": ["index", "agents"],
        "author": "Ada",
        "created": "2026-06-11T11:47:00",
    },
)
QUESTION = "how is a changed file noticed"


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve a clone of this repository with its memories; give the address with its key."""
    import uvicorn

    import recollect
    from recollect.loopback import listen
    from recollect.served import Served
    from recollect.web.app import build
    from recollect.web.door import Door

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "recollect"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(root)], check=True)
        with recollect.open(root) as project:
            project.index()
            remember(project)
        listening = listen(0)
        door = Door(listening.getsockname()[1])
        one = Served(root)
        one.start()
        one.wait(60)
        server = uvicorn.Server(uvicorn.Config(build(one, door), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"{door.address}/?token={door.token}"
        finally:
            server.should_exit = True
            thread.join(10)
            one.close()


def remember(project: Any) -> None:
    """Write the memories of the example."""
    ids: list[str] = []
    for row in MEMORIES:
        fields = {key: value for key, value in row.items() if key not in ("replaces", "pinned")}
        if "replaces" in row:
            fields["links"] = {"supersedes": [ids[row["replaces"]]]}
        ids.append(project.remember(**fields).id)
        if row.get("pinned"):
            project.pin(ids[-1])


def pictures() -> dict[str, tuple[str, int, int, bool, str]]:
    """Return name, and path, width, height, dark, and what is done before the picture is taken."""
    ask = "/?" + urlencode({"q": QUESTION})
    unfold = "document.querySelectorAll('.opens')[0].open = true"
    return {
        "search": (ask, 1280, 1150, False, unfold),
        "graph": ("/graph?symbol=OpenIndex.update", 1280, 1150, False, ""),
        "memories": ("/memories", 1280, 1100, False, ""),
        "index": ("/index", 1280, 800, True, ""),
        "graph-dark": ("/graph?symbol=Served", 1280, 900, True, ""),
        "phone": (ask, 375, 900, True, unfold),
    }


def main() -> int:
    """Take the pictures that are named."""
    from browser import chromium, look

    PLACE.mkdir(exist_ok=True)
    known = pictures()
    with served() as address, chromium() as browser:
        browser.get(address)
        base = address.partition("/?")[0]
        for name in sys.argv[1:] or known:
            path, width, height, dark, script = known[name]
            look(browser, width, height, dark, still=True)
            browser.get(base + path)
            if script:
                browser.execute_script(script)
            time.sleep(1.5)
            area = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
            picture = browser.execute_cdp_cmd(
                "Page.captureScreenshot", {"clip": area, "captureBeyondViewport": True}
            )
            (PLACE / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))
            print(f"docs/screens/{name}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
