// Package buildtest tests how both filters are built, from outside: that neither
// the number of goroutines, the level, the pieces that hashes come in nor their
// order of arrival in memory changes a byte, and what memory building takes. All
// of it is in its tests.
package buildtest
