"""What is on disk: which files a project has, in which language, and what may be read of them."""
