"""One module a command; `cli` reads the words and calls `main(args)`."""
