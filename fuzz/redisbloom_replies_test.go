package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/redisbloom"
)

// redisReplies returns what "redis-cli --raw BF.SCANDUMP" prints of a dump with a header of the given length. Each byte
// of cuts is the length of a reply; the last reply has the rest.
func redisReplies(dump []byte, header int, cuts []byte) []byte {
	all := fmt.Appendf(nil, "1\n%s\n", dump[:header])
	rest, done := dump[header:], 0
	for len(rest) > 0 {
		n := len(rest)
		if len(cuts) > 0 {
			n, cuts = min(n, 1+int(cuts[0])), cuts[1:]
		}
		done += n
		all = fmt.Appendf(all, "%d\n%s\n", 1+done, rest[:n])
		rest = rest[n:]
	}
	return append(all, "0\n\n"...)
}

// FuzzRedisBloomReplies has any bytes as a file of RedisBloom, and dumps that are cut into replies anywhere.
func FuzzRedisBloomReplies(f *testing.F) {
	add := func(entries int, links int, cuts ...byte) {
		const size = 6
		dump := binary.LittleEndian.AppendUint64(nil, 1)
		dump = binary.LittleEndian.AppendUint32(dump, uint32(links))
		dump = binary.LittleEndian.AppendUint32(dump, 5) // bits that are no power of two, hashes of 64 bits
		if entries == 8 {
			dump = binary.LittleEndian.AppendUint32(dump, 2)
		}
		for range links {
			for _, x := range []uint64{size, 8*size - 3, 1, math.Float64bits(0.01), math.Float64bits(9.585)} {
				dump = binary.LittleEndian.AppendUint64(dump, x)
			}
			dump = append(binary.LittleEndian.AppendUint32(dump, 3), make([]byte, entries+1)...)
		}
		header := len(dump)
		dump = append(dump, bytes.Repeat([]byte("1\n\xff\x00\n2"), links)...)
		f.Add(dump, cuts)
		f.Add(redisReplies(dump, header, cuts), cuts)
	}
	for _, entries := range []int{4, 8} {
		add(entries, 1)
		add(entries, 1, 0, 1, 2)
		add(entries, 3, 5, 3, 1, 9)
	}
	path := filepath.Join(f.TempDir(), "file")
	open := func(t *testing.T, data []byte) []byte {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := redisbloom.OpenFile(path)
		if err != nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatal(err)
			}
			return nil
		}
		defer file.Close()
		filter, err := redisbloom.Open(file.Bytes())
		if err != nil {
			t.Fatalf("of %q, the bytes %q: %v", data, file.Bytes(), err)
		}
		for _, key := range bytes.SplitAfterN(queries, []byte{' '}, 20) {
			if file.Contains(key) != filter.Contains(key) {
				t.Fatalf("%q: key %q: not %v", data, key, filter.Contains(key))
			}
		}
		return bytes.Clone(file.Bytes())
	}
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		opened := open(t, data)
		filter, err := redisbloom.Open(data)
		if err != nil {
			if len(opened) >= len(data) && opened != nil { // replies have more than the dump
				t.Fatalf("%q: opened as %q", data, opened)
			}
			return
		}
		if !bytes.Equal(opened, data) {
			t.Fatalf("%q: opened as %q", data, opened)
		}
		links := len(filter.Links())
		for _, header := range []int{20 + 53*links, 16 + 49*links} { // of the layouts; the wrong one is no header
			if header <= len(data) && bytes.Equal(open(t, redisReplies(data, header, cuts)), data) {
				return
			}
		}
		t.Fatalf("%q: its replies are not opened", data)
	})
}
