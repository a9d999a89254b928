package table

import "encoding/binary"

// rows goes through a block of keys and values, as LevelDB made them up: each key
// is what it shares with the one before and what is new. Behind the rows are the
// restarts, where keys share nothing; what goes through all rows needs none.
type rows struct {
	rest []byte // rows to come

	key    []byte // the row's
	shared bool   // whether it shares something with the key before
}

// newRows returns the rows of a block, which stands before the first.
func newRows(block []byte) (*rows, error) {
	if len(block) < 4 {
		return nil, corrupt("a block of %d bytes, too few for rows", len(block))
	}
	end := len(block) - 4
	// The upper bits are RocksDB's: 29 only says that keys are spread evenly, the
	// others change what a block looks like (block_based/data_block_footer.h).
	packed := binary.LittleEndian.Uint32(block[end:]) &^ (1 << 29)
	if packed>>28 != 0 {
		return nil, unsupported("a block with features that are not known, %#x", packed>>28)
	}
	if uint64(packed) > uint64(end/4) {
		return nil, corrupt("a block of %d bytes with %d restarts", len(block), packed)
	}
	return &rows{rest: block[:end-4*int(packed)]}, nil
}

// more reports whether there is another row.
func (r *rows) more() bool { return len(r.rest) > 0 }

// next reads a row's key, and returns its value.
func (r *rows) next() (value []byte, err error) {
	shared, unshared, size := r.length(), r.length(), r.length()
	if r.readKey(shared, unshared) {
		if value, ok := r.take(size); ok {
			return value, nil
		}
	}
	return nil, corrupt("a row that is longer than its block")
}

// nextKey reads a row that does not say how long its value is: who calls it must
// take the value, whose length shows in itself.
func (r *rows) nextKey() error {
	shared, unshared := r.length(), r.length()
	if !r.readKey(shared, unshared) {
		return corrupt("a key that is longer than its block")
	}
	return nil
}

// length reads a varint; without one, it is longer than any block.
func (r *rows) length() uint64 {
	length, n := binary.Uvarint(r.rest)
	if n <= 0 {
		return 1 << 63
	}
	r.rest = r.rest[n:]
	return length
}

func (r *rows) readKey(shared, unshared uint64) bool {
	added, ok := r.take(unshared)
	if !ok || shared > uint64(len(r.key)) {
		return false
	}
	r.key, r.shared = append(r.key[:shared], added...), shared != 0
	return true
}

func (r *rows) take(n uint64) ([]byte, bool) {
	if n > uint64(len(r.rest)) {
		return nil, false
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken, true
}
