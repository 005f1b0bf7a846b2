"""The driver is installed only with an extra; whoever is about to need it asks here first."""

from __future__ import annotations

from recollect.errors import UsageError


def require() -> None:
    """Raise with a sentence when the driver of PostgreSQL is not installed."""
    try:
        import psycopg
        import psycopg_pool
    except ImportError as error:
        raise UsageError(
            f"A store on PostgreSQL needs its driver ({error}); install it with: pip install 'recollect[postgres]'"
        ) from error
    assert psycopg.__version__
    assert psycopg_pool.__version__
