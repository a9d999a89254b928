package filterblock

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// entries are the hashes of a filter or of a partition, in the order in which RocksDB adds them.
type entries struct {
	builder *simdbloom.Builder
	hash    keyhash.Hash
	n       int
	last    uint64 // if n > 0
	waiting int    // in batch
	batch   [batchHashes]uint64
}

// batchHashes is how many hashes the builder gets at a time, which is faster than one by
// one.
const batchHashes = 256

// add adds the hash of a key or of a prefix, unless it is the last one.
func (e *entries) add(entry []byte) {
	if hash := e.hash.Sum64(entry); e.n == 0 || hash != e.last {
		e.append(hash)
	}
}

// append adds a hash that is not the last one.
func (e *entries) append(hash uint64) {
	e.n, e.last = e.n+1, hash
	e.batch[e.waiting] = hash
	if e.waiting++; e.waiting == len(e.batch) {
		e.flush()
	}
}

func (e *entries) flush() {
	e.builder.AddHashes(e.batch[:e.waiting])
	e.waiting = 0
}

// finish returns the filter, and drops all hashes.
func (e *entries) finish() ([]byte, error) {
	if e.n == 0 {
		return nil, nil // Paired's builder would return a filter
	}
	e.flush()
	data, err := e.builder.Finish()
	e.reset()
	return data, err
}

func (e *entries) reset() {
	e.n, e.waiting = 0, 0
	e.builder.Reset()
}
