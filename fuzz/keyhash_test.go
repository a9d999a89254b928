package fuzz

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// FuzzKeyHash tests that a hash depends on a key's bytes alone: not on where they are, what
// is beside them, or which method hashes them.
func FuzzKeyHash(f *testing.F) {
	for _, n := range []int{0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1024, 1025, 3000} {
		f.Add(bytes.Repeat([]byte("key"), n)[:n])
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32, keyhash.LevelDB32} {
			want := hash.Sum64(key)
			if hash.Sum64String(string(key)) != want {
				t.Fatalf("%s: the string's hash differs", hash.Name())
			}
			if sums := hash.AppendHashes(nil, [][]byte{key, key}); sums[0] != want || sums[1] != want {
				t.Fatalf("%s: the batch's hash differs", hash.Name())
			}
			testmem.BesideGuards(t, key, func(key []byte) {
				if hash.Sum64(key) != want {
					t.Fatalf("%s: the hash differs elsewhere", hash.Name())
				}
				checkLookup(t, hash, key)
			})
			if len(key) == 8 && hash.SumUint64(binary.LittleEndian.Uint64(key)) != want {
				t.Fatalf("%s: the word's hash differs", hash.Name())
			}
		}
		for hash, signed := range map[keyhash.Hash]bool{keyhash.RocksDB32: true, keyhash.LevelDB32: false} {
			if got, want := hash.Sum64(key), uint64(naive.LevelDBHash(key, signed)); got != want {
				t.Fatalf("%s: %#x, want %#x", hash.Name(), got, want)
			}
		}
	})
}

// checkLookup looks a key up in a filter that only its hash is in.
func checkLookup(t *testing.T, hash keyhash.Hash, key []byte) {
	if hash.Bits() < 64 {
		return
	}
	m, err := bloom.NewMutable(10, 40, hash)
	if err != nil {
		t.Fatal(err)
	}
	if m.Contains(key) {
		t.Fatalf("%s: a key is in an empty filter", hash.Name())
	}
	m.AddHash(hash.Sum64(key))
	for _, level := range levels() {
		restore := cpu.Limit(level)
		c := m.Clone()
		if !c.Contains(key) || !c.ContainsString(string(key)) {
			t.Errorf("%v, %s: a key is looked up by another hash", level, hash.Name())
		}
		restore()
	}
}

// FuzzHashUint64s hashes arbitrary words at every level, right beside unreadable pages, from
// one place to another and in place, and compares with the hashes of their bytes. The words are
// those of data, and more of them.
func FuzzHashUint64s(f *testing.F) {
	const mostWords = 4500
	for _, n := range []int{0, 8, 24, 56, 64, 128, 256} {
		f.Add(bytes.Repeat([]byte("0123456"), n)[:n], uint16(n*n%257))
	}
	fromRoom, toRoom := testmem.Words(testmem.Between(f, 8*mostWords)), testmem.Words(testmem.Between(f, 8*mostWords))
	f.Fuzz(func(t *testing.T, data []byte, more uint16) {
		words := make([]uint64, min(mostWords, len(data)/8+int(more)))
		for i := range words {
			if 8*i+8 <= len(data) {
				words[i] = binary.LittleEndian.Uint64(data[8*i:])
			} else if i > 0 {
				words[i] = words[i-1]*0x9e3779b97f4a7c15 + uint64(len(data))
			}
		}
		want := make([]uint64, len(words))
		for i, word := range words {
			want[i] = xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, word))
			if got := keyhash.XX64.SumUint64(word); got != want[i] {
				t.Fatalf("the hash of %#x is %#x, want %#x", word, got, want[i])
			}
		}
		n := len(words)
		check := func(level cpu.Level, hashes, from []uint64) {
			copy(from, words)
			if asm.HashUint64s(hashes, from); !slices.Equal(hashes, want) {
				t.Fatalf("%v: %d words have other hashes", level, n)
			}
		}
		for _, level := range levels() {
			restore := cpu.Limit(level)
			check(level, toRoom[:n], fromRoom[len(fromRoom)-n:])
			check(level, toRoom[len(toRoom)-n:], fromRoom[:n])
			check(level, toRoom[:n], toRoom[:n])
			restore()
		}
	})
}

// batchHashes are the hashes that have kernels for batches of keys, and those of one key.
var batchHashes = map[string]struct {
	kernel func(hashes []uint64, keys [][]byte)
	sum    func(key []byte) uint64
}{
	"XX64":      {batchBy(asm.XX64), xxhash.Sum64},
	"XXPH3":     {batchBy(asm.XXPH3), keyhash.XXPH3.Sum64},
	"LevelDB32": {batchBy(asm.LevelDB32), func(key []byte) uint64 { return uint64(naive.LevelDBHash(key, false)) }},
	"RocksDB32": {batchBy(asm.RocksDB32), func(key []byte) uint64 { return uint64(naive.LevelDBHash(key, true)) }},
}

func batchBy(by asm.KeyHash) func(hashes []uint64, keys [][]byte) {
	return func(hashes []uint64, keys [][]byte) { asm.HashKeys(by, nil, hashes, keys) }
}

// FuzzHashKeys cuts data into keys of the given lengths, or of others that follow from them, and hashes them at every
// level, each right beside an unreadable page or not.
func FuzzHashKeys(f *testing.F) {
	const mostBytes = 4096
	for _, lengths := range []string{"", "\x10\x10\x10\x10\x10\x10\x10\x10", "\x00\x07\x20\x1f\x41\x7f\x80\x03\x08\xff", "\x18", "\x14\x14\x40"} {
		f.Add(bytes.Repeat([]byte("key"), 300), []byte(lengths), uint8(3*len(lengths)))
	}
	room := testmem.Between(f, mostBytes)
	f.Fuzz(func(t *testing.T, data, lengths []byte, n uint8) {
		data = data[:min(len(data), mostBytes)]
		copy(room[mostBytes-len(data):], data)
		var keys [][]byte
		for i := range int(n) {
			length := 0
			if len(lengths) > 0 {
				length = min(len(data), int(lengths[i%len(lengths)]))
			}
			at := mostBytes - length - i*7%(len(data)-length+1)
			keys = append(keys, room[at:at+length:at+length])
		}
		for name, hash := range batchHashes {
			want := make([]uint64, len(keys))
			for i, key := range keys {
				want[i] = hash.sum(key)
			}
			for _, level := range levels() {
				restore := cpu.Limit(level)
				hashes := make([]uint64, len(keys))
				if hash.kernel(hashes, keys); !slices.Equal(hashes, want) {
					t.Fatalf("%s, %v: other hashes of keys of %d bytes", name, level, lengths)
				}
				restore()
			}
		}
	})
}
