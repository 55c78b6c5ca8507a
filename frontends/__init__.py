"""How people reach Puzzlemill: the command line, later the HTTP API and the web pages."""
