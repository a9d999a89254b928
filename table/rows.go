package table

import "encoding/binary"

// rows goes through a block of keys and values in LevelDB's format: a key is stored as
// the length of the prefix that it shares with the one before, and the rest. After the
// rows are the restarts, offsets of rows that share nothing; going through all rows does
// not need them.
type rows struct {
	rest []byte // rows to come

	key []byte // the row's
}

// newRows returns the rows of a block. The first call of next reads the first row.
func newRows(block []byte) (*rows, error) {
	if n := len(block); n >= 4 {
		if features := binary.LittleEndian.Uint32(block[n-4:]); features&(separatedValues|hashIndex) != 0 {
			return nil, unsupported("a block with unknown features, %#x", features>>28)
		}
	}
	d, err := newDataRows(block)
	if err != nil {
		return nil, err
	}
	return &d.rows, nil
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
	return nil, errLongRow
}

var errLongRow = corrupt("a row that is longer than its block")

// length reads a varint. If there is none, it returns more than any block's length.
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
	r.key = append(r.key[:shared], added...)
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
