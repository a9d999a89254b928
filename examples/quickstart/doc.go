// Command quickstart builds a filter and looks up keys in it: the program of README.md.
package main
