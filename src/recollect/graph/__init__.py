"""Turns the facts of single files into edges between items, and asks the finished graph who reaches whom."""
