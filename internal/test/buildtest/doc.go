// Package buildtest tests how filters are built, from outside: that no byte depends on
// the number of goroutines, the level, the pieces that hashes come in or the order in which
// memory gets them, and how much memory building takes. It has only tests.
package buildtest
