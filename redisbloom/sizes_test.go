package redisbloom_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/redisbloom"
)

// dumpOf returns the dump of a filter of one link, whose probes and bits per key are right for a rate of 0.005.
func dumpOf(bits uint64, bytes []byte) []byte {
	number := binary.LittleEndian.AppendUint64
	data := number(nil, 1)                             // keys
	data = binary.LittleEndian.AppendUint32(data, 1)   // links
	data = binary.LittleEndian.AppendUint32(data, 1|4) // bits that are not rounded to 2^n, hashes of 64 bits
	data = binary.LittleEndian.AppendUint32(data, 2)   // growth
	data = number(number(number(data, uint64(len(bytes))), bits), 1)
	data = number(data, math.Float64bits(0.005))
	data = number(data, math.Float64bits(-math.Log2(0.005)*math.Ln2/0.480453013918201))
	data = number(binary.LittleEndian.AppendUint32(data, 8), 8) // probes, capacity
	return append(append(data, 0), bytes...)
}

// TestNumbersOfBits: each one opens in the bytes that have all of them, whole or in part, and in no fewer. Lookups read
// no other bytes, and bits behind the last one do not count.
func TestNumbersOfBits(t *testing.T) {
	for bits := uint64(1); bits < 200; bits++ {
		for size := range 30 {
			full := make([]byte, size)
			for i := range full {
				full[i] = 0xff
			}
			data := dumpOf(bits, full)
			fits := 8*uint64(size) >= bits
			f, err := redisbloom.Open(data)
			if fits != (err == nil) || !fits && !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%d bits in %d bytes: %v", bits, size, err)
			}
			if redisbloom.MayContain(dumpOf(bits, make([]byte, size)), key(1)) == fits {
				t.Errorf("%d bits in %d zero bytes: not %v", bits, size, !fits)
			}
			if fits && f.EstimatedFPR() != 1 {
				t.Errorf("%d bits in %d bytes: a rate of %v", bits, size, f.EstimatedFPR())
			}
		}
		full := make([]byte, (bits+7)/8)
		for bit := range bits {
			full[bit/8] |= 1 << (bit % 8)
		}
		testmem.BesideGuards(t, dumpOf(bits, full), func(data []byte) {
			f, err := redisbloom.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 100 {
				if !f.Contains(key(i)) {
					t.Fatalf("%d bits: no key %d, though all bits are set", bits, i)
				}
			}
			if f.EstimatedFPR() != 1 || f.Verify() == nil != (bits <= 8) {
				t.Errorf("%d bits: a rate of %v, %v", bits, f.EstimatedFPR(), f.Verify())
			}
		})
	}
}

// TestFilesThatDoNotOpenAreUnmapped at once, and those that are copied.
func TestFilesThatDoNotOpenAreUnmapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dump")
	data := stored(t, "noround")
	for i, data := range [][]byte{data[:len(data)-1], replies(data, open(t, data).Links(), headerBytes("noround", 4), 100)} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := redisbloom.OpenFile(path); (err == nil) != (i == 1) || testmem.Mappings(t, path) > 0 {
			t.Errorf("file %d is mapped %d times: %v", i, testmem.Mappings(t, path), err)
		}
	}
}
