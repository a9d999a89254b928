package redisbloom

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// dump returns a dump of one link, in the newest layout: zeros behind the header.
func dump(l Link, options uint32, perKey float64, size int, n2 byte) []byte {
	data := make([]byte, layouts[0].fixed+layouts[0].link+size)
	binary.LittleEndian.PutUint64(data, l.Keys)
	binary.LittleEndian.PutUint32(data[8:], 1)
	binary.LittleEndian.PutUint32(data[12:], options)
	at := data[layouts[0].fixed:]
	for i, field := range []uint64{uint64(size), l.Bits, l.Keys, math.Float64bits(l.FPR), math.Float64bits(perKey)} {
		binary.LittleEndian.PutUint64(at[8*i:], field)
	}
	binary.LittleEndian.PutUint32(at[40:], uint32(l.Probes))
	binary.LittleEndian.PutUint64(at[44:], l.Capacity)
	at[layouts[0].link-1] = n2
	return data
}

// TestVerifyCountsBits: a link has at most as many ones as its keys can set.
func TestVerifyCountsBits(t *testing.T) {
	for _, c := range []struct {
		keys  uint64
		ones  int // bytes of them
		found bool
	}{{1, 1, false}, {1, 2, true}, {2, 2, false}, {0, 1, true}, {0, 0, false}, {1 << 63, 100, false}} {
		data := dump(Link{Bits: 1024, Keys: c.keys, FPR: 1. / 256, Probes: 8}, optionHash64, 8/math.Ln2, 128, 0)
		for i := range c.ones {
			data[len(data)-1-i] = 255
		}
		f, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Verify(); c.found != (err != nil) || c.found && (!errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "bits set")) {
			t.Errorf("%d keys, %d bits: %v", c.keys, 8*c.ones, err)
		}
	}
}

// TestVerifySumsKeys: the header has the keys of all links, neither fewer nor more.
func TestVerifySumsKeys(t *testing.T) {
	for keys, found := range map[byte]bool{4: true, 5: false, 6: true} {
		data := dump(Link{Bits: 1024, Keys: 5, FPR: 1. / 256, Probes: 8}, optionHash64, 8/math.Ln2, 128, 0)
		data[0] = keys
		f, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Verify(); found != (err != nil) {
			t.Errorf("5 keys in the link, %d in the header: %v", keys, err)
		}
	}
}

// TestPlausible: the bits a key follow from the rate, and the probes from these.
func TestPlausible(t *testing.T) {
	for _, c := range []struct {
		rate, perKey float64
		probes       int
		plausible    bool
	}{
		{1. / 256, 8 / math.Ln2, 8, true},
		{1. / 256, 8 / math.Ln2, 7, false},
		{1. / 256, 8 / math.Ln2, 9, false},
		{1. / 256, 8 / math.Ln2 * (1 + 1e-6), 8, false},
		{1. / 256, 8 / math.Ln2 * (1 - 1e-6), 8, false},
		{0.01, -math.Log2(0.01) / math.Ln2, 7, true}, // 6.6 probes
		{1.5, -math.Log2(1.5) / math.Ln2, 0, false},
		{1, 0, 0, false},
		{-1, math.NaN(), 0, false},
	} {
		data := dump(Link{Bits: 1024, FPR: c.rate, Probes: c.probes}, optionHash64, c.perKey, 128, 0)
		if is := IsDump(data); is != c.plausible {
			t.Errorf("rate %v, %v bits a key, %d probes: is a dump: %v", c.rate, c.perKey, c.probes, is)
		}
		if f, err := Open(data); err == nil && c.plausible != (f.Verify() == nil) {
			t.Errorf("rate %v, %v bits a key, %d probes: Verify: %v", c.rate, c.perKey, c.probes, f.Verify())
		}
	}
}

// TestFacts has what a filter says of its header.
func TestFacts(t *testing.T) {
	l := Link{Bits: 1000, Keys: 3, Capacity: 1 << 40, FPR: 1. / 256, Probes: 8}
	for options, want := range map[uint32]struct {
		hashBits int
		scales   bool
	}{0: {32, true}, optionHash64: {64, true}, optionNoScaling: {32, false}, knownOptions: {64, false}} {
		f, err := Open(dump(l, options, 8/math.Ln2, 128, 0))
		if err != nil {
			t.Fatal(err)
		}
		if f.HashBits() != want.hashBits || f.Scales() != want.scales || f.Keys() != 3 || f.Links()[0] != l {
			t.Errorf("options %d: hashes of %d bits, scales %v, %d keys, %+v", options, f.HashBits(), f.Scales(), f.Keys(), f.Links())
		}
	}
	short := dump(l, optionHash64, 8/math.Ln2, 128, 0)[:layouts[1].fixed]
	if _, err := Open(short); err == nil || !strings.Contains(err.Error(), noLinkHeaders.String()) {
		t.Errorf("%d bytes, which are a header without links: %v", len(short), err)
	}
}

// TestFewestBits opens filters of few bits, by both of their numbers, and rates that none has.
func TestFewestBits(t *testing.T) {
	l := Link{Bits: 100, FPR: 1. / 256, Probes: 8}
	for _, c := range []struct {
		bits uint64
		n2   byte
		rate float64
		want uint64 // or 0
	}{{1, 0, 0.5, 1}, {104, 0, 0.5, 104}, {0, 1, 0.5, 2}, {0, 6, 0.5, 64}, {0, 7, 0.5, 0}, {0, 0, 0.5, 0}, {105, 0, 0.5, 0}, {100, 0, 1, 0}, {100, 0, 1.5, 0}, {100, 0, 0, 0}} {
		l.Bits, l.FPR = c.bits, c.rate
		f, err := Open(dump(l, optionHash64, 8/math.Ln2, 13, c.n2))
		if opened := err == nil; opened != (c.want != 0) || opened && f.Links()[0].Bits != c.want || !opened && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestMoreLinksThanBytes: a number of links that the bytes behind the first one's header almost have.
func TestMoreLinksThanBytes(t *testing.T) {
	for size := range 2 * layouts[0].link {
		data := dump(Link{Bits: 1, FPR: 1. / 256, Probes: 8}, optionHash64, 8/math.Ln2, max(size, 1), 0)
		for links := range 5 {
			data[8] = byte(links + 2)
			if _, err := Open(data[:len(data):len(data)]); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%d links in %d bytes: %v", links+2, len(data), err)
			}
		}
	}
}

// TestPlacesOf32Bits: up to v1.1.0 places were computed with 32 bits. Keys that these versions added are there in
// filters that have more bits. The filters have zeros only, and take no memory for them.
func TestPlacesOf32Bits(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("the larger one has a GiB")
	}
	for _, n2 := range []byte{0, 31, 33} {
		bits := uint64(1) << n2
		if n2 == 0 {
			bits = 3_000_000_000
		}
		data := dump(Link{Bits: bits, Keys: 100, FPR: 1. / 256, Probes: 8}, 0, 8/math.Ln2, int(bits/8), n2)
		f, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		keys, hits := make([][]byte, 100), make([]bool, 100)
		for i := range keys {
			keys[i] = strconv.AppendInt(nil, int64(i), 10)
			h := f.sum(keys[i])
			for range 8 {
				bit := h.at & (1<<32 - 1) % bits
				f.links[0].words[bit/8] |= 1 << (bit % 8)
				h.at += h.step
			}
		}
		f.ContainsKeys(keys, hits)
		for i, key := range keys {
			if !f.Contains(key) || !hits[i] || !MayContain(data, key) {
				t.Fatalf("2^%d bits: no key %s", n2, key)
			}
		}
	}
}
