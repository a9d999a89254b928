// Package digests tests that every machine builds the same bytes and gives the same
// answers: SHA-256 digests of both are in testdata, a line for each case, and that one
// file is for all architectures and all levels. All of it is in its tests.
//
// The file says what is the same everywhere, not what is right: that other tests hold
// against RocksDB's and Speedb's own vectors. It is what plain Go gives,
//
//	go test ./internal/test/digests -update
//
// and changes when a case is added, and never otherwise: the formats are for ever.
package digests
