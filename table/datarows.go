package table

import "encoding/binary"

// The upper bits of the number of restarts (RocksDB's table/block_based/data_block_footer.cc).
const (
	separatedValues = 1 << 28 // values are behind all keys
	spreadEvenly    = 1 << 29 // keys are, which is of no matter here
	hashIndex       = 1 << 31 // there is one behind the restarts
	mostRestarts    = 1<<28 - 1
)

// dataRows goes through the keys of a data block.
type dataRows struct {
	rows
	restarts  []byte // of rows to come
	separated bool
	size      int // of all rows
}

// newDataRows returns the rows of a data block. In front of the number of restarts are where the values begin, if they
// are separated, in front of it the hash index, which ends with its size, and in front of that the restarts.
func newDataRows(block []byte) (*dataRows, error) {
	const numberBytes, bucketsBytes = 4, 2
	rest := block
	cut := func(n uint64) []byte {
		if n > uint64(len(rest)) {
			return nil
		}
		last := rest[len(rest)-int(n):]
		rest = rest[:len(rest)-int(n)]
		return last
	}
	packed := cut(numberBytes)
	if packed == nil {
		return nil, corrupt("a block of %d bytes, too few for rows (at least %d)", len(block), numberBytes)
	}
	features := binary.LittleEndian.Uint32(packed)
	number := features &^ (separatedValues | spreadEvenly | hashIndex)
	if number > mostRestarts {
		return nil, unsupported("a block with unknown features, %#x", features>>28)
	}
	d := &dataRows{separated: features&separatedValues != 0}
	var values []byte
	if d.separated {
		if values = cut(numberBytes); values == nil {
			return nil, corrupt("a block of %d bytes, too few for separated values", len(block))
		}
	}
	if features&hashIndex != 0 {
		buckets := cut(bucketsBytes)
		if buckets == nil || cut(uint64(binary.LittleEndian.Uint16(buckets))) == nil {
			return nil, corrupt("a block of %d bytes, too few for its hash index", len(block))
		}
	}
	if d.restarts = cut(numberBytes * uint64(number)); d.restarts == nil {
		return nil, corrupt("a block of %d bytes with %d restarts", len(block), number)
	}
	if d.separated {
		begin := binary.LittleEndian.Uint32(values)
		if uint64(begin) > uint64(len(rest)) {
			return nil, corrupt("a block of %d bytes whose values begin at %d", len(block), begin)
		}
		rest = rest[:begin]
	}
	d.rest, d.size = rest, len(rest)
	return d, nil
}

// nextKey reads a row.
func (d *dataRows) nextKey() error {
	if !d.separated {
		_, err := d.next()
		return err
	}
	isRestart := d.isRestart(uint32(d.size - len(d.rest)))
	shared, unshared := d.length(), d.length()
	d.length() // the value's
	if isRestart {
		d.length() // where the value is
	}
	if !d.readKey(shared, unshared) {
		return errLongRow
	}
	return nil
}

// isRestart reports whether the row at an offset is a restart. Offsets ascend.
func (d *dataRows) isRestart(at uint32) bool {
	for len(d.restarts) > 0 && binary.LittleEndian.Uint32(d.restarts) < at {
		d.restarts = d.restarts[4:]
	}
	return len(d.restarts) > 0 && binary.LittleEndian.Uint32(d.restarts) == at
}
