// Package answers has what queries need besides kernels: the sizes of the pieces that batches are
// looked up in, the way from answer bits to indexes, and the errors of Open.
package answers

import "errors"

// ErrCorrupt is wrapped by every error about a filter's bytes.
var ErrCorrupt = errors.New("corrupt filter")

// ErrNoHash is returned where a key hash is required and the zero one was given.
var ErrNoHash = errors.New("the key hash is the zero Hash: pass one such as keyhash.XX64")

// AlwaysTrue is what RocksDB writes where it gives a filter up: zeros, which every reader, RocksDB's
// and Speedb's included, takes for "may contain everything".
var AlwaysTrue [6]byte
