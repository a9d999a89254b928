package main

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// row is a key and its value. An engine's key has a version behind it, and filters have keys without.
type row struct{ key, value []byte }

// appendRow appends a row to a block: two lengths, the key, the value. An engine stores the prefix that a key shares
// with the one before only once, and begins anew every 16 rows, so that it can search a block.
func appendRow(block, key, value []byte) []byte {
	block = binary.AppendUvarint(block, uint64(len(key)))
	block = binary.AppendUvarint(block, uint64(len(value)))
	return append(append(block, key...), value...)
}

// eachRow yields the rows of a block of any bytes, and at last the error if there is one. Rows are parts of the block.
func eachRow(block []byte) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for rest := block; len(rest) > 0; {
			var r row
			var ok bool
			if r, rest, ok = nextRow(rest); !ok {
				yield(row{}, corrupt("a row that is longer than its block"))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func nextRow(data []byte) (r row, rest []byte, ok bool) {
	keyBytes, n := binary.Uvarint(data)
	if n <= 0 {
		return row{}, nil, false
	}
	data = data[n:]
	valueBytes, n := binary.Uvarint(data)
	if n <= 0 {
		return row{}, nil, false
	}
	data = data[n:]
	if keyBytes > uint64(len(data)) || valueBytes > uint64(len(data))-keyBytes {
		return row{}, nil, false
	}
	end := keyBytes + valueBytes
	return row{data[:keyBytes:keyBytes], data[keyBytes:end:end]}, data[end:], true
}

// valueIn returns the value of a key in a block.
func valueIn(block, key []byte) (value []byte, ok bool, err error) {
	for r, err := range eachRow(block) {
		if err != nil {
			return nil, false, err
		}
		switch bytes.Compare(r.key, key) {
		case 0:
			return r.value, true, nil
		case 1:
			return nil, false, nil
		}
	}
	return nil, false, nil
}
