// Package opened has filters of every kind of bytes that the readers of any format accept, for the tests of all
// modules: nothing that takes a Filter, or the bytes of one, may panic.
package opened

import (
	"bytes"
	"fmt"
	"iter"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"

	// whose builders and recorded names these are
	_ "github.com/simdbloom/simdbloom/blobloom"
	_ "github.com/simdbloom/simdbloom/bloom"
	_ "github.com/simdbloom/simdbloom/legacy"
	_ "github.com/simdbloom/simdbloom/leveldb"
	_ "github.com/simdbloom/simdbloom/linear"
	_ "github.com/simdbloom/simdbloom/paired"
	_ "github.com/simdbloom/simdbloom/ribbon"
	_ "github.com/simdbloom/simdbloom/splitblock"
)

// Bytes returns bytes of every kind: none, zeros and ones of small sizes, and of each format filters of no keys,
// one and more, whole, cut short at either end, with every value in each of the last bytes, and with the trailers of
// the other formats behind the bodies. Few are filters of any one format.
func Bytes(t testing.TB) (all [][]byte) {
	t.Helper()
	add := func(data ...byte) { all = append(all, data) }
	for n := range 140 {
		if n > 16 && n%32 > 10 {
			continue
		}
		add(make([]byte, n)...)
		add(bytes.Repeat([]byte{0xff}, n)...)
	}
	var built, trailers [][]byte
	for _, format := range formats.All() {
		for _, keys := range []int{0, 1, 100} {
			data := build(t, simdbloom.Format(format), keys)
			if built = append(built, data); len(data) > 16 {
				trailers = append(trailers, data[len(data)-5:], data[len(data)-9:])
			}
		}
	}
	for _, data := range built {
		add(data...)
		for n := 1; n < min(len(data), 140); n += 1 + n/8*13 {
			add(data[:len(data)-n]...)
			add(data[n:]...)
		}
		for at := 1; at <= min(len(data), 9); at++ {
			for _, value := range []byte{0, 1, 2, 5, 16, 63, 64, 127, 128, 200, 253, 254, 255} {
				changed := bytes.Clone(data)
				changed[len(data)-at] = value
				add(changed...)
				changed = bytes.Clone(data) // Blobloom's header
				changed[at-1] = value
				add(changed...)
			}
		}
		for _, trailer := range trailers {
			add(append(bytes.Clone(data), trailer...)...)
			if n := len(data) - len(trailer); n >= 0 {
				add(append(bytes.Clone(data[:n]), trailer...)...)
			}
		}
	}
	return all
}

func build(t testing.TB, format simdbloom.Format, keys int) []byte {
	t.Helper()
	hash := keyhash.XX64
	if formats.Of(asm.Format(format)).Narrow {
		hash = keyhash.RocksDB32
	}
	b, err := simdbloom.NewBuilder(format, 10, hash)
	if err != nil {
		t.Fatal(err)
	}
	b.AddHashes(vectors.Hashes(1, keys))
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Filters opens all Bytes as each format, and by each of its recorded names, and yields those that are filters. Those
// of one size in which nothing but the body differs come once.
func Filters(t testing.TB) iter.Seq2[string, *simdbloom.Filter] {
	t.Helper()
	all := Bytes(t)
	return func(yield func(string, *simdbloom.Filter) bool) {
		for _, format := range formats.All() {
			for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32} {
				names := []string{""} // of Open
				for _, recorded := range formats.Of(format).Recorded {
					names = append(names, formats.RecordedName(format, recorded.BatchBlocks, hash))
				}
				for _, name := range names {
					seen := make(map[string]bool)
					for _, data := range all {
						f, err := simdbloom.Open(simdbloom.Format(format), data, hash)
						if name != "" {
							f, err = simdbloom.OpenNamed(name, data, hash)
						}
						if err != nil {
							continue
						}
						kind := KindOf(f, data)
						if !seen[kind] && !yield(fmt.Sprintf("%s, as %v %s of %s", Describe(data), simdbloom.Format(format), name, hash.Name()), f) {
							return
						}
						seen[kind] = true
					}
				}
			}
		}
	}
}

// KindOf says what lookups in a filter depend on, besides its body. f is nil if the bytes are refused.
func KindOf(f *simdbloom.Filter, data []byte) string {
	if f == nil {
		return "refused"
	}
	return fmt.Sprint(f.Format(), f.NumProbes(), len(data))
}

// Describe says which of Bytes these are.
func Describe(data []byte) string {
	return fmt.Sprintf("%d bytes that end with %x", len(data), data[max(len(data)-9, 0):])
}
