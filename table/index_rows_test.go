package table

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// TestFirstKeysOfIndexes: a row of an index with first keys that has none, or one longer than the block, is corrupt.
func TestFirstKeysOfIndexes(t *testing.T) {
	table := &Table{}
	table.Properties.indexValueIsDelta, table.Properties.indexType = 1, indexWithFirstKeys
	for _, c := range []struct {
		behind string // the key and the handle
		isTrue bool
	}{
		{"\x02bc", true}, {"\x00", true}, {"", false}, {"\x02b", false}, {"\xff", false},
	} {
		row := append([]byte{0, 1, 'a', 0, 9}, c.behind...)
		block := binary.LittleEndian.AppendUint32(append(row, 0, 0, 0, 0), 1)
		rows := 0
		err := table.eachRow(block, kindIndex, func(indexRow) error { rows++; return nil })
		if (err == nil) != c.isTrue || err != nil && !errors.Is(err, simdbloom.ErrCorrupt) || err == nil && rows != 1 {
			t.Errorf("%q: %d rows, %v", c.behind, rows, err)
		}
	}
}

// TestInternalKeysOfLevelDB: behind a user key are a kind, of values or of deletions, and a sequence number. An index
// in parts is looked at again with each of them.
func TestInternalKeysOfLevelDB(t *testing.T) {
	const sequence = "\x01\x00\x00\x00\x00\x00\x00"
	for _, c := range []struct {
		keys     []string
		internal bool
	}{
		{[]string{"a\x01" + sequence, "b\x00" + sequence}, true},
		{[]string{"a\x02" + sequence}, false},
		{[]string{"a\x01" + sequence, "a\x00" + sequence}, false},
		{[]string{"\x01" + sequence}, true},
		{[]string{sequence}, false},
	} {
		x := newIndex()
		for _, key := range c.keys {
			x.rows = append(x.rows, indexRow{rest: []byte(key)})
		}
		for part := range 2 {
			if err := x.setTail(&Table{Format: levelDB}, blockName{}, 0); err != nil || x.foreign == c.internal || c.internal != (x.tail == internalKeyBytes) {
				t.Errorf("%q, part %d: not %v: %d, %v", c.keys, part, c.internal, x.tail, err)
			}
		}
	}
}
