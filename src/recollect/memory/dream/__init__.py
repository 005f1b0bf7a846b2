"""Consolidates memories without a language model, so that every bit of it can be told and taken back."""
