"""Embedders and rerankers: none, static vectors, networks on this machine, and services over HTTP."""
