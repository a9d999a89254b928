// Command quickstart builds a filter, stores it, and looks up keys in what was stored, one by one and many at once.
package main
