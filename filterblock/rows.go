package filterblock

import (
	"encoding/binary"
	"iter"
)

// indexRow is a row of the index: a user key, which is valid until the next row, and where a
// partition is.
type indexRow struct {
	key []byte
	Handle
}

// eachRow yields the rows of a block, and at last the error if there is one.
func eachRow(block []byte, format IndexFormat) iter.Seq2[indexRow, error] {
	return func(yield func(indexRow, error) bool) {
		if len(block) == 0 {
			return
		}
		r, err := newRows(block)
		for err == nil && len(r.rest) > 0 {
			row := indexRow{}
			if err = r.next(format.FullHandles); err == nil {
				row.Handle = r.handle
				row.key, err = format.userKey(r.key)
			}
			if err == nil && !yield(row, nil) {
				return
			}
		}
		if err != nil {
			yield(indexRow{}, err)
		}
	}
}

// userKey returns the user key of an index key.
func (f IndexFormat) userKey(key []byte) ([]byte, error) {
	n := len(key) - max(f.TimestampBytes, 0)
	if f.InternalKeys {
		if n -= sequenceBytes; len(key) < sequenceBytes {
			return nil, corruptIndex("a key of %d bytes, too short for its sequence number", len(key))
		}
	}
	if n < 0 {
		return nil, corruptIndex("a key of %d bytes, too short for its timestamp", len(key))
	}
	return key[:n], nil
}

// rows goes through a block of keys and handles. A key is stored as the length of the prefix
// that it shares with the one before, and the rest. Behind the rows are the restarts, offsets of
// rows that share nothing; going through all rows does not need them.
type rows struct {
	rest   []byte // rows to come
	key    []byte // the row's
	handle Handle // likewise
}

const (
	offsetBytes = 4
	// RocksDB uses the upper bits of the number of restarts: bit 29 only means that keys are spread
	// evenly, the others change the block's layout (block_based/data_block_footer.h).
	evenlySpread  = 1 << 29
	knownRestarts = 1<<28 - 1
	noLength      = 1 << 63

	// sequenceBytes are a sequence number and a kind, which follow a user key in an internal key.
	sequenceBytes = 8
)

func newRows(block []byte) (rows, error) {
	end := len(block) - offsetBytes
	if end < 0 {
		return rows{}, corruptIndex("a block of %d bytes, too few for rows (at least %d)", len(block), offsetBytes)
	}
	restarts := binary.LittleEndian.Uint32(block[end:]) &^ evenlySpread
	if restarts > knownRestarts {
		return rows{}, corruptIndex("a block with unknown features, %#x", restarts>>28)
	}
	if uint64(restarts) > uint64(end/offsetBytes) {
		return rows{}, corruptIndex("a block of %d bytes with %d restarts", len(block), restarts)
	}
	return rows{rest: block[:end-offsetBytes*int(restarts)]}, nil
}

// next reads a row.
func (r *rows) next(fullHandles bool) (err error) {
	shared, unshared, size := r.length(), r.length(), uint64(0)
	if fullHandles {
		size = r.length()
	}
	if unshared > uint64(len(r.rest)) || shared > uint64(len(r.key)) || size > uint64(len(r.rest))-unshared {
		return corruptIndex("a row that is longer than its block")
	}
	r.key = append(r.key[:shared], r.rest[:unshared]...)
	value, n := r.rest[unshared:], 0
	switch {
	case fullHandles:
		r.handle, n, err = handleIn(value[:size])
		if err == nil && n != int(size) {
			err = errNoHandle
		}
	case shared > 0:
		r.handle, n, err = r.handle.after(value)
	default:
		r.handle, n, err = handleIn(value)
	}
	if err != nil {
		return corruptIndex("%w", err)
	}
	r.rest = value[n:]
	return nil
}

// length reads a varint. If there is none, it returns more than any block's length.
func (r *rows) length() uint64 {
	length, n := binary.Uvarint(r.rest)
	if n <= 0 {
		return noLength
	}
	r.rest = r.rest[n:]
	return length
}
