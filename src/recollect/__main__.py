"""Runs the command line with `python -m recollect`."""

from recollect.cli.app import main

if __name__ == "__main__":
    main()
