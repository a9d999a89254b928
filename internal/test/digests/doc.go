// Package digests tests that every machine builds the same bytes and gives the same
// answers. SHA-256 digests of both are in testdata, a line for each case, in one file for
// all architectures and levels. The package has only tests.
//
// The file has results that are the same everywhere, not necessarily right ones: other tests compare with
// RocksDB's and Speedb's own vectors. It has the digests that pure Go gives,
//
//	go test ./internal/test/digests -update
//
// and changes only when a case is added: the formats never change.
package digests
