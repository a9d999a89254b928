package filterblock

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/internal/nocopy"
)

// IndexWriter builds the index of partitions, a block as RocksDB writes it (BlockBuilder in
// table/block_based/block_builder.cc). One goroutine at a time may use it. The zero value of a
// format is RocksDB's of today; see [IndexFormat]. Do not copy it: go vet reports copies.
type IndexWriter struct {
	_        nocopy.Mark
	format   IndexFormat
	block    []byte
	restarts []uint32
	since    int // rows since the last restart
	key      []byte
	before   Handle
}

// NewIndexWriter returns a writer of an empty index.
func NewIndexWriter(format IndexFormat) *IndexWriter { return &IndexWriter{format: format} }

// Add adds a partition. Its index key is at or after all of its keys, and before all keys of
// the next one, which is added after it. If the format has internal keys, the index key is one: a user
// key and 8 bytes. It keeps nothing of the key.
//
// RocksDB expects every partition right behind the one before and its trailer of 5 bytes. Handles
// that are elsewhere are written out in full, and RocksDB reads these, too.
func (w *IndexWriter) Add(key []byte, h Handle) {
	shared := 0
	if w.since >= max(w.format.RestartInterval, 1) || len(w.restarts) == 0 {
		w.restarts = append(w.restarts, uint32(len(w.block)))
		w.since = 0
	} else if w.format.FullHandles || h.Offset == w.before.next() {
		shared = sharedPrefix(w.key, key)
	}
	w.since++
	w.block = binary.AppendUvarint(w.block, uint64(shared))
	w.block = binary.AppendUvarint(w.block, uint64(len(key)-shared))
	var room [2 * binary.MaxVarintLen64]byte
	value := h.append(room[:0])
	if w.format.FullHandles {
		w.block = binary.AppendUvarint(w.block, uint64(len(value)))
	} else if shared > 0 {
		value = binary.AppendVarint(room[:0], int64(h.Size-w.before.Size))
	}
	w.block = append(append(w.block, key[shared:]...), value...)
	w.key, w.before = append(w.key[:0], key...), h
}

// Finish returns the block, and leaves the writer empty. Without partitions it is empty, and RocksDB
// has no filter block then.
func (w *IndexWriter) Finish() []byte {
	block := w.block
	if len(w.restarts) > 0 {
		for _, restart := range w.restarts {
			block = binary.LittleEndian.AppendUint32(block, restart)
		}
		block = binary.LittleEndian.AppendUint32(block, uint32(len(w.restarts)))
	}
	*w = IndexWriter{format: w.format, restarts: w.restarts[:0], key: w.key[:0]}
	return block
}

func sharedPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
