package table

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestVerifyForeignTables has tables whose index has other keys than those of a LevelDB store. Their filters tell what
// the database looks up.
func TestVerifyForeignTables(t *testing.T) {
	plain, stores := [][]byte{[]byte("a"), []byte("bcdefghij")}, [][]byte{internal([]byte("a"), 7), binary.LittleEndian.AppendUint64([]byte("b"), 9<<8)}
	userKeys, others := [][]byte{[]byte("a"), []byte("b")}, [][]byte{[]byte("a"), []byte("other")}
	kind2, lateSequence := [][]byte{[]byte("a\x02\x07\x00\x00\x00\x00\x00\x00")}, [][]byte{internal([]byte("a"), 1<<48)}
	const (
		neither   = "the keys are not those of a store of LevelDB, and the filter does not have them as they are"
		unknown   = `a filter of unknown kind, "another's"`
		recovered = "; goleveldb's recovery wrote the table, and Gets in it fail until the store is compacted"
	)
	for what, c := range map[string]struct {
		keys, filter [][]byte // nil if it is unknown
		looked       uint64
		missing      uint64
		notVerified  string
	}{
		"built without a store":         {plain, plain, 2, 0, ""},
		"goleveldb's recovery":          {stores, stores, 2, 2, ""},
		"separators of another kind":    {stores, userKeys, 2, 0, ""},
		"another filter":                {plain, others, 0, 0, neither},
		"a store's, and another filter": {stores, others, 0, 0, neither},
		"no filter, built":              {plain, nil, 0, 0, unknown},
		"no filter, recovery":           {stores, nil, 0, 0, unknown + recovered},
		"no filter, of another kind":    {kind2, nil, 0, 0, unknown},
		"no filter, 2^48th write":       {lateSequence, nil, 0, 0, unknown},
	} {
		name := "another's"
		filters := levelblock.New(10, 11, keyhash.LevelDB32)
		filters.StartBlock(0)
		for _, key := range c.filter {
			filters.Add(key)
			name = levelDBName
		}
		v := verified(t, opened(t, oneBlock(levelDB, []byte("z"), c.keys, blockBasedFilter+name, filters.Finish())))
		if v.Keys != c.looked || v.Missing != c.missing || v.Damaged != 0 || v.NotVerified != c.notVerified {
			t.Errorf("%s: %+v", what, v)
		}
	}
	data := oneBlock(levelDB, []byte("z"), stores, blockBasedFilter+"another's", nil)
	data[len(row(0, stores[0], nil))+1] = 200 // the last key's length
	block := handle{size: uint64(len(rowBlock(stores[0], nil, stores[1], nil)))}
	if v := verified(t, opened(t, rechecked(opened(t, data), data, block))); v.Damaged != 1 || v.NotVerified != unknown {
		t.Errorf("%+v", v)
	}
}

// TestVerifyForeignTableOfAnotherFilter: the first data block decides.
func TestVerifyForeignTableOfAnotherFilter(t *testing.T) {
	data := testTable(t, "orders/leveldb-built.ldb")
	read := opened(t, data)
	clear(data[read.filter.offset:][:8]) // a part of the first filter
	if v := verified(t, opened(t, rechecked(read, data, read.filter))); v.Keys != 0 || v.Missing != 0 || !strings.HasPrefix(v.NotVerified, "the keys are not those of a store") {
		t.Errorf("%+v", v)
	}
}

// TestForeignTables: answers say why a table with such an index has many filters for a key, and may lack it.
func TestForeignTables(t *testing.T) {
	read := opened(t, testTable(t, "orders/leveldb-built.ldb"), WithOrder(Bytewise))
	answers, err := answersFor(read, [][]byte{numberKey(-38.5), []byte("absent")})
	if err != nil || answers[0].Why != "the index has other keys than those of a LevelDB store, so any of the table's filters may have it" ||
		answers[1].MayContain || answers[1].Why != "the filter may lack a store's keys: goleveldb's recovery writes such tables" {
		t.Errorf("%+v, %v", answers, err)
	}
}
