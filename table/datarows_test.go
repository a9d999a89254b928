package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// dataBlock is a data block of two keys with the features: values apart from keys, and a hash index.
func dataBlock(features uint32) (block []byte) {
	keys := []string{"key1........", "key2........"}
	var values []byte
	var begins []uint32
	for _, key := range keys {
		begins = append(begins, uint32(len(block)))
		block = append(block, 0, byte(len(key)), 5)
		if features&separatedValues != 0 { // each is a restart
			block = append(block, byte(len(values)))
			values = append(values, "value"...)
		}
		block = append(block, key...)
		if features&separatedValues == 0 {
			block = append(block, "value"...)
		}
	}
	valuesAt := uint32(len(block))
	block = append(block, values...)
	for _, begin := range begins {
		block = binary.LittleEndian.AppendUint32(block, begin)
	}
	if features&hashIndex != 0 {
		block = append(block, 255, 0, 1, 3, 0) // three buckets
	}
	if features&separatedValues != 0 {
		block = binary.LittleEndian.AppendUint32(block, valuesAt)
	}
	return binary.LittleEndian.AppendUint32(block, features|uint32(len(begins)))
}

func keysIn(block []byte) (keys []string, err error) {
	r, err := newDataRows(block)
	for err == nil && r.more() {
		if err = r.nextKey(); err == nil {
			keys = append(keys, string(r.key))
		}
	}
	return keys, err
}

// TestDataRows: RocksDB's features of data blocks are read, and no bytes are a panic.
func TestDataRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, features := range []uint32{0, spreadEvenly, hashIndex, separatedValues, hashIndex | separatedValues | spreadEvenly} {
		block := dataBlock(features)
		if keys, err := keysIn(block); err != nil || !slices.Equal(keys, []string{"key1........", "key2........"}) {
			t.Errorf("%#x: %q, %v", features, keys, err)
		}
		long := bytes.Clone(block)
		long[1] = 200 // the first key's length
		if keys, err := keysIn(long); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%#x: %q, %v", features, keys, err)
		}
		for n := range block {
			if _, err := keysIn(block[n:]); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%#x: %v", features, err)
			}
		}
		for range *changedTables {
			changed := bytes.Clone(block)
			changed[random.IntN(len(changed))] = byte(random.Uint32() >> random.IntN(8))
			if _, err := keysIn(changed); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%x: %v", changed, err)
			}
		}
	}
	if _, err := keysIn(dataBlock(1 << 30)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("an unknown feature: %v", err)
	}
}

// TestGreatDataBlocks: small blocks do not take much memory, whatever size they record.
func TestGreatDataBlocks(t *testing.T) {
	great := func(size uint64) []byte { return append(binary.AppendUvarint(nil, size), 0x10, 'a') }
	for what, c := range map[string]struct {
		block []byte
		kind  compression
	}{
		"LZ4":               {great(60 << 20), compressedByLZ4},
		"more LZ4":          {great(1 << 40), compressedByLZ4},
		"zlib":              {great(1 << 40), compressedByZlib},
		"Zstandard":         {great(1 << 62), compressedByZstd},
		"Zstandard, frames": {append(great(60 << 20)[:4], zstdMagic...), compressedByZstd},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Format{databaseRocksDB, 5, xxh3Sum}.decompressData(c.block, c.kind, []byte("a dictionary"))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 8<<20 {
			t.Errorf("%s: %v, %d bytes of memory", what, err, took)
		}
	}
}
