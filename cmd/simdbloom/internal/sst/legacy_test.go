package sst

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/table"
)

// legacyFilter is a filter of the given numbers of lines and random hashes, with 10 bits for each.
func legacyFilter(lines uint32) (data []byte, keys int) {
	const probes = 6
	data = make([]byte, 64*int(lines), 64*int(lines)+5)
	random := rand.New(rand.NewPCG(3, 4))
	keys = 512 * int(lines) / 10
	for range keys {
		hash := random.Uint32()
		line, step := data[64*(hash%lines):][:64], bits.RotateLeft32(hash, 15)
		for range probes {
			line[hash&511/8] |= 1 << (hash & 7)
			hash += step
		}
	}
	return binary.LittleEndian.AppendUint32(append(data, probes), lines), keys
}

// TestLegacyNearPowersOfTwo has the rates that were measured of Pebble's own filters.
func TestLegacyNearPowersOfTwo(t *testing.T) {
	for _, c := range []struct {
		lines uint32
		rate  float64
		near  bool
	}{
		{50_001, 0.012, false},
		{65_535, 0.069, true},
		{131_073, 0.122, true},
	} {
		data, keys := legacyFilter(c.lines)
		f, err := factsNamed(builtinName, data)
		if err != nil || f.kind != "legacy" || f.probes != 6 || f.blocks != int(c.lines) || f.blockBytes != 64 {
			t.Fatalf("%+v, %v", f, err)
		}
		if math.Abs(f.rate-c.rate) > 0.05*c.rate {
			t.Errorf("%d lines: %v, want %v", c.lines, f.rate, c.rate)
		}
		var sum summary
		sum.add(f, len(data))
		note, isProblem := sum.note(keys, 1, 10)
		if strings.Contains(note, "near a power of two") != c.near || isProblem != c.near || !strings.Contains(note, "times worse than FastLocal") {
			t.Errorf("%d lines: %s", c.lines, note)
		}
	}
}

// TestLegacyKeys: the keys of RocksDB's tables are found.
func TestLegacyKeys(t *testing.T) {
	for _, name := range []string{"legacy-0.sst", "legacy-2.sst", "legacy-4.sst", "legacy-128.sst"} {
		var data []byte
		if name == "legacy-128.sst" { // as on a machine with cache lines of 128 bytes
			data = make([]byte, 3*128, 3*128+5)
			for i := range data {
				data[i] = 0xff
			}
			data = append(data, 6, 3, 0, 0, 0)
		} else {
			file := contents(t, filepath.Join(testdata, name))
			data = filterOf(t, file)
		}
		filter, err := (&table.Table{Layout: "full", FilterName: builtinName}).OpenFilter(data)
		if err != nil {
			t.Fatal(name, err)
		}
		var hits [100]bool
		filter[0].ContainsKeys(tableKeys(100), hits[:])
		for i, hit := range hits {
			if !hit {
				t.Errorf("%s: key %d is lost", name, i)
			}
		}
	}
	for _, trailer := range [][]byte{{6, 0, 0, 0, 0}, {6, 2, 0, 0, 0}, {6, 5, 0, 0, 0}, {6, 0xff, 0xff, 0xff, 0xff}} {
		if f, err := factsNamed(builtinName, append(make([]byte, 3*64), trailer...)); err != nil || f.kind != alwaysTrue || f.rate != 1 {
			t.Errorf("%x: %+v, %v", trailer, f, err)
		}
	}
}

// tableKeys are the first keys of most tables.
func tableKeys(n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key%05d", i))
	}
	return keys
}

// filterOf returns the only filter of a table.
func filterOf(t *testing.T, file []byte) []byte {
	t.Helper()
	read, err := table.Open(strings.NewReader(string(file)), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for filter, err := range read.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		return filter.Data
	}
	t.Fatal("no filter")
	return nil
}
