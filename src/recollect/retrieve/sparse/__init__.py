"""Sparse vectors of terms: what a text is made of, weighted by how rare that is."""
