"""Writes expected.json anew (`python -m tests.golden.write [language ...]`); read the difference, then commit it."""

from __future__ import annotations

import json
import sys

from tests.golden.project import FOLDER, languages, read


def main() -> None:
    for language in sys.argv[1:] or languages():
        facts = {stem: found for stem in ("sample", "broken") if (found := read(language, stem))}
        text = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / language / "expected.json").write_text(text, encoding="utf-8")
        print(f"{language}: written, now read it")


if __name__ == "__main__":
    main()
