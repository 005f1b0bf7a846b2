"""Reads reports of what ran: traces, coverage, and plain lines."""
