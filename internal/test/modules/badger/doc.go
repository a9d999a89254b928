// Package badger tests that package leveldb reads the filters in Badger's tables. It is a module of its own
// because Badger's many packages take long to compile.
package badger
