// Command migrating replaces another Bloom filter library: it adds keys, stores the filter, and reads it again: the
// program of docs/migrating.md.
package main
