package blobloom_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Milvus's binary statistics of primary keys, since 2026: a header of 64 bytes, and filters, of which each has a header
// of 64 bytes, too. Keys are hashed by xxh3.Hash: integers as 8 little-endian bytes.
func ExampleOpenBlocks() {
	segments, err := openStatistics(statistics(), programs)
	if err != nil {
		log.Fatal(err)
	}
	hashes := programs.AppendColumn(nil, keyhash.Values([]int64{7, 1500, 9999}))
	wanted := []uint64{1<<len(hashes) - 1}
	for segment, keys := range simdbloom.Candidates(segments, hashes, wanted) {
		fmt.Println("segment", segment, "may have keys", keys)
	}
	// Output:
	// segment 0 may have keys [0]
	// segment 1 may have keys [1]
}

// openStatistics returns the filters in a file of statistics.
func openStatistics(file []byte, hash keyhash.Hash) (filters []*simdbloom.Filter, err error) {
	const (
		headerBytes = 64
		strings     = 21 // the type of keys that are strings; integers are 5
	)
	errNone := errors.New("not Milvus's statistics of version 1, or cut short")
	if len(file) < headerBytes || string(file[:8]) != "mpkstats" || binary.LittleEndian.Uint32(file[8:]) != 1 {
		return nil, errNone
	}
	numFilters, keyType, rest := binary.LittleEndian.Uint32(file[12:]), binary.LittleEndian.Uint32(file[16:]), file[headerBytes:]
	for range numFilters {
		if len(rest) < headerBytes {
			return nil, errNone
		}
		blocks, k, begin := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:]), uint64(headerBytes)
		if keyType == strings { // the least and the greatest key follow; integers are in the header
			begin += uint64(binary.LittleEndian.Uint32(rest[8:]))
		}
		end := begin + 64*uint64(blocks)
		if end > uint64(len(rest)) {
			return nil, errNone
		}
		f, err := blobloom.OpenBlocks(rest[begin:end], int(k), hash)
		if err != nil {
			return nil, err
		}
		filters, rest = append(filters, f), rest[end:]
	}
	return filters, nil
}

// statistics returns those of two segments with a thousand integers each.
func statistics() []byte {
	file := append([]byte("mpkstats"), make([]byte, 56)...)
	for i, value := range []uint32{1, 2, 5, 100} { // version, filters, the type of the keys, the field
		binary.LittleEndian.PutUint32(file[8+4*i:], value)
	}
	for segment := range 2 {
		m, err := blobloom.NewMutable(1000, 10, programs)
		if err != nil {
			log.Fatal(err)
		}
		for key := range 1000 {
			m.AddUint64(uint64(1000*segment + key))
		}
		blocks, header := m.Bytes()[64:], make([]byte, 64)
		binary.LittleEndian.PutUint32(header, uint32(len(blocks)/64))
		binary.LittleEndian.PutUint32(header[4:], uint32(m.NumProbes()+1))
		file = append(append(file, header...), blocks...)
	}
	return file
}

// Milvus's statistics in JSON have the filter as a member "bf". The module's copy that Milvus has wrote it.
func ExampleOpenJSON() {
	var statistics struct {
		Type   int             `json:"bfType"` // 4; filters of other types are bits-and-blooms/bloom's
		Filter json.RawMessage `json:"bf"`
	}
	text := `{"fieldID":100,"max":19,"min":0,"bfType":4,"bf":` + milvus + `}`
	if err := json.Unmarshal([]byte(text), &statistics); err != nil {
		log.Fatal(err)
	}
	f, err := blobloom.OpenJSON(statistics.Filter, programs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(statistics.Type, f.SizeBytes(), f.NumProbes(), f.ContainsHash(0x9e3779b97f4a7c15), f.ContainsHash(7))
	// Output: 4 192 4 true false
}
