//go:build race

package asm_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// TestRacesAreFound: the race detector finds what goroutines do at once in memory that kernels read or write. Each
// race happens in a process of its own, which fails.
func TestRacesAreFound(t *testing.T) {
	const planted = "SIMDBLOOM_PLANTED_RACE"
	body, pairs := make([]byte, 1<<20), make([]byte, 1<<20)
	hashes, hits, bools := make([]uint64, 100), make([]uint64, 2), make([]bool, 100)
	k, p := forAdding(asm.NewFastLocal(body, 6)), asm.NewPaired(pairs, 128, 16)
	one, another := hashes[:50], make([]uint64, 100)
	data := append(make([]byte, 640), 0xff, 0, 6, 0, 0)
	halves, offsets := make([]uint32, 100), make([]uint32, 101)
	for i := range offsets {
		offsets[i] = uint32(i)
	}
	keys := slices.Collect(slices.Chunk(data[:200], 2))
	tile, bodies := make([]byte, 512*64), slices.Collect(slices.Chunk(make([]byte, 640), 64))
	races := map[string][2]func(){
		"":                             {func() { k.Contains(1) }, func() { k.ContainsBits(hashes, hits) }},
		"adding and a lookup":          {func() { k.Add(1) }, func() { k.Contains(1) }},
		"adding and a batch":           {func() { k.AddAll(hashes) }, func() { k.ContainsBools(another, bools) }},
		"adding twice":                 {func() { k.AddIfAbsent(0) }, func() { k.AddAll(another) }},
		"adding and a lookup in pairs": {func() { asm.PairedAdd(pairs, 128, 16, append(hashes[:50:50], 1)) }, func() { p.Contains(1) }},
		"answers in bits":              {func() { k.ContainsBits(hashes, hits) }, func() { hits[1]++ }},
		"answers in bools":             {func() { k.ContainsBools(hashes, bools) }, func() { _ = bools[99] || bools[98] }},
		"hashes":                       {func() { k.ContainsBits(hashes, hits) }, func() { one[40]++ }},
		"hashes to add":                {func() { k.AddAll(hashes) }, func() { one[40]++ }},
		"hashed words":                 {func() { asm.HashUint64s(another, hashes) }, func() { one[40]++ }},
		"hashed half words":            {func() { asm.HashUint32s(another, halves) }, func() { halves[77]++ }},
		"hashed keys":                  {func() { asm.HashKeys(asm.XX64, nil, another, keys) }, func() { data[99]++ }},
		"slices of keys":               {func() { asm.HashKeys(asm.XX64, nil, another, keys) }, func() { keys[50] = nil }},
		"hashes of keys":               {func() { asm.HashKeys(asm.XX64, nil, another, keys) }, func() { another[99]++ }},
		"keys hashed by XXPH3":         {func() { asm.HashKeys(asm.XXPH3, nil, another, keys) }, func() { data[99]++ }},
		"keys hashed to 32 bits":       {func() { asm.HashKeys(asm.RocksDB32, nil, another, keys) }, func() { data[99]++ }},
		"hashed strings":               {func() { asm.HashStrings(another, offsets, data) }, func() { data[99]++ }},
		"offsets of strings":           {func() { asm.HashStrings(another, offsets, data) }, func() { offsets[50] += 0 }},
		"hashes of strings":            {func() { asm.HashStrings(another, offsets, data) }, func() { another[99]++ }},
		"rows of a tile":               {func() { asm.AppendSlicedHits(nil, tile, []uint64{0, 6400}, 64, 0) }, func() { tile[6463]++ }},
		"rows of keys":                 {func() { asm.AndSlicedKeys(hits[:1], tile, []uint64{6400}, 1, 1) }, func() { tile[6407]++ }},
		"answers of keys":              {func() { asm.AndSlicedKeys(hits, tile, []uint64{0, 8}, 1, 1) }, func() { hits[1]++ }},
		"bodies that become columns":   {func() { asm.SliceBodies(tile, 64, 70, bodies) }, func() { bodies[9][63]++ }},
		"columns":                      {func() { asm.SliceBodies(tile, 64, 70, bodies) }, func() { tile[511*64+8]++ }},
		"columns that become bodies":   {func() { asm.UnsliceBodies(bodies, tile, 64, 70) }, func() { tile[511*64+8]++ }},
		"bodies that were columns":     {func() { asm.UnsliceBodies(bodies, tile, 64, 70) }, func() { _ = bodies[9][63] == 1 }},
		"bytes":                        {func() { asm.FastLocalMayContain(data, 1) }, func() { data[7]++ }},
	}
	if name, ok := os.LookupEnv(planted); ok {
		done := make(chan bool)
		go func() {
			races[name][0]()
			done <- true
		}()
		races[name][1]()
		<-done
		return
	}
	for name := range races {
		var said []byte
		var err error
		found := false
		for range 3 { // the detector remembers few accesses to a word, and once missed one on a busy machine
			c := exec.Command(os.Args[0], "-test.run=^TestRacesAreFound$")
			c.Env = append(os.Environ(), planted+"="+name)
			said, err = c.CombinedOutput()
			if found = strings.Contains(string(said), "DATA RACE"); found {
				break
			}
		}
		if found != (name != "") || found != (err != nil) {
			t.Errorf("%q: %v, %s", name, err, said)
		}
	}
}
