// Package blobloom_test compares package blobloom with the Go module whose filters it has.
package blobloom_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	original "github.com/greatroar/blobloom"
	"github.com/zeebo/xxh3"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

var filters = flag.Int("filters", 400, "the `number` of filters to compare")

var hash = keyhash.New("XXH3", xxh3.Hash)

const header = 64

func levels() (all []cpu.Level) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if cpu.Current().Includes(level) {
			all = append(all, level)
		}
	}
	return all
}

// TestFilters makes filters of random sizes and k by the original, and has the same bytes and answers, at each
// level in turn.
func TestFilters(t *testing.T) {
	all := levels()
	lookups := 0
	for i := range *filters {
		restore := cpu.Limit(all[i%len(all)])
		lookups += testFilter(t, rand.New(rand.NewPCG(uint64(i), 38)))
		restore()
	}
	t.Logf("%d filters, %d hashes looked up in each of seven ways", *filters, lookups)
}

// random returns a number of blocks and k: mostly of usual filters.
func random(r *rand.Rand) (blocks, k int) {
	blocks, k = 1+r.IntN(40), 2+r.IntN(16)
	switch r.IntN(16) {
	case 0:
		blocks = 1
	case 1:
		blocks = 1 + r.IntN(3000)
	case 2:
		k = r.IntN(34)
	case 3:
		k = r.IntN(1200)
	case 4:
		k = []int{0, 1, 2, 31, 32, 33, 1024, 1025, 1026, 2049, 3000}[r.IntN(11)]
		blocks = 1 + r.IntN(3)
	}
	return blocks, k
}

func testFilter(t *testing.T, r *rand.Rand) (lookups int) {
	blocks, k := random(r)
	describe := func() string { return fmt.Sprintf("%d blocks, k=%d, %v", blocks, k, cpu.Current()) }
	bits := uint64(512*blocks - r.IntN(512))
	keys := r.IntN(1 + 100*blocks)
	if k > 64 {
		keys = r.IntN(3 * blocks)
	}
	keys = min(keys, 5000)
	hashes := make([]uint64, keys+200)
	for i := range hashes {
		hashes[i] = r.Uint64()
		if i >= keys && keys > 0 && i%2 == 0 {
			hashes[i] = hashes[r.IntN(keys)]
		}
	}
	theirs := original.New(bits, k)
	for _, h := range hashes[:keys] {
		theirs.Add(h)
	}
	var buffer bytes.Buffer
	if _, err := original.Dump(&buffer, theirs, "a comment"); err != nil {
		t.Fatal(err)
	}
	dump := buffer.Bytes()

	mutable, err := blobloom.New(bits, k, hash)
	if err != nil {
		t.Fatal(err)
	}
	concurrent, err := simdbloom.OpenConcurrent(simdbloom.Blobloom, mutable.Bytes(), hash)
	if err != nil {
		t.Fatal(err)
	}
	mutable.AddHashes(hashes[:keys/2])
	for _, h := range hashes[keys/2 : keys] {
		mutable.AddHash(h)
	}
	concurrent.AddHashes(hashes[:keys])
	for _, ours := range [][]byte{mutable.Bytes(), concurrent.Bytes()} {
		if !bytes.Equal(ours[header:], dump[header:]) || k <= 1025 && !bytes.Equal(ours[:20], dump[:20]) {
			t.Fatalf("%s: other bytes after %d keys", describe(), keys)
		}
	}
	loader, err := original.NewLoader(bytes.NewReader(mutable.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if loaded, err := loader.Load(nil); err != nil || k <= 1025 && !loaded.Equals(theirs) {
		t.Fatalf("%s: the original loads another filter, %v", describe(), err)
	}

	opened, err := blobloom.Open(dump, hash)
	if err != nil {
		t.Fatalf("%s: %v", describe(), err)
	}
	bare, err := blobloom.OpenBlocks(dump[header:], k, hash)
	if err != nil {
		t.Fatalf("%s: %v", describe(), err)
	}
	queried := hashes[keys:]
	if keys > 0 {
		queried = append(queried[:len(queried):len(queried)], hashes[:min(keys, 100)]...)
	}
	want := make([]bool, len(queried))
	for i, h := range queried {
		want[i] = theirs.Has(h)
	}
	for _, f := range []*simdbloom.Filter{opened, bare, &mutable.Filter} {
		hits, words := make([]bool, len(queried)), make([]uint64, (len(queried)+63)/64)
		f.ContainsHashes(queried, hits)
		f.ContainsHashBits(queried, words)
		found := f.AppendHits(nil, queried)
		for i, h := range queried {
			if f.ContainsHash(h) != want[i] || hits[i] != want[i] || words[i/64]>>(i%64)&1 == 1 != want[i] ||
				concurrent.ContainsHash(h) != want[i] || blobloom.MayContainHash(dump, h) != want[i] || slices.Contains(found, i) != want[i] {
				t.Fatalf("%s: hash %#x: not %v", describe(), h, want[i])
			}
		}
		for i, h := range queried[:20] {
			if found := simdbloom.AppendFilters(nil, []*simdbloom.Filter{f, opened}, h); len(found) == 2 != want[i] {
				t.Fatalf("%s: hash %#x: AppendFilters: %d", describe(), h, found)
			}
		}
	}
	testHostile(t, r, dump)
	return len(queried)
}

// testHostile cuts the dump short, or changes its header. What is no filter is an error, and may contain every key.
// What the original loads is one, unless bytes are left.
func testHostile(t *testing.T, r *rand.Rand, dump []byte) {
	data := slices.Clone(dump)
	switch r.IntN(4) {
	case 0:
		data = data[:r.IntN(len(data))]
	case 1:
		data = append(data, make([]byte, 1+r.IntN(128))...)
	case 2:
		data[r.IntN(header)] = byte(r.Uint32())
	case 3:
		binary.LittleEndian.PutUint32(data[12+4*r.IntN(2):], []uint32{0, 1, 1 << 31, math.MaxUint32, r.Uint32()}[r.IntN(5)])
	}
	f, err := blobloom.Open(data, hash)
	if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Fatal(err)
	}
	h := r.Uint64()
	if len(data) > 0 && err != nil && !blobloom.MayContainHash(data, h) {
		t.Fatal("corrupt bytes do not contain a hash")
	}
	if err == nil && len(data) > 0 && (f.ContainsHash(h) != blobloom.MayContainHash(data, h) || f.SizeBytes() != len(data)) {
		t.Fatal("other answers for the bytes")
	}
	loads := false
	if loader, err := original.NewLoader(bytes.NewReader(data)); err == nil {
		if blocks := 1 + uint64(binary.LittleEndian.Uint32(data[12:])); header+64*blocks <= uint64(len(data)) {
			_, err := loader.Load(nil)
			loads = err == nil && header+64*blocks == uint64(len(data))
		}
	}
	if len(data) > 0 && loads != (err == nil) {
		t.Fatalf("%x: the original loads it: %v; %v", data[:min(len(data), header)], loads, err)
	}
}

// TestVector has the bytes that the format's description gives: keys hashed by XXH3.
func TestVector(t *testing.T) {
	m, err := blobloom.New(1<<15, 10, hash)
	if err != nil {
		t.Fatal(err)
	}
	theirs := original.New(1<<15, 10)
	for i := range 2000 {
		m.AddString(fmt.Sprint("key", i))
		theirs.Add(xxh3.HashString(fmt.Sprint("key", i)))
	}
	var dump bytes.Buffer
	if _, err := original.Dump(&dump, theirs, ""); err != nil || !bytes.Equal(dump.Bytes(), m.Bytes()) {
		t.Errorf("%v, or other bytes", err)
	}
}
