package filterfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// smallFiles returns a small file of every format, and the source.
func smallFiles(t testing.TB) (files [][]byte, of []source) {
	t.Helper()
	for _, s := range sources(t, 12) {
		data, err := filterfile.Append(nil, s.filter, filterfile.WithKeys(12))
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 4000 { // Paired filters are larger
			files, of = append(files, data), append(of, s)
		}
	}
	return files, of
}

// TestEveryFlippedBit: each is an error, of every way to open.
func TestEveryFlippedBit(t *testing.T) {
	files, of := smallFiles(t)
	for i, data := range files {
		for bit := range 8 * len(data) {
			if testing.Short() && bit%17 != i%17 {
				continue
			}
			data[bit/8] ^= 1 << (bit % 8)
			if f, err := filterfile.OpenBytes(data, of[i].options()...); f != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%s, bit %d: %v", of[i].name, bit, err)
			}
			if bit%8 == i%8 {
				refused(t, data, of[i])
			}
			data[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// TestEveryTruncation, and bytes that follow.
func TestEveryTruncation(t *testing.T) {
	files, of := smallFiles(t)
	for i, data := range files {
		for n := range data {
			refused(t, data[:n], of[i])
			_, err := filterfile.Read(bytes.NewReader(data[:n]))
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%s, %d of %d bytes: %v", of[i].name, n, len(data), err)
			}
		}
		refused(t, append(slices.Clone(data), 0), of[i])
		refused(t, append(slices.Clone(data), data...), of[i])
	}
}

// refused requires an error that wraps ErrCorrupt. Opened lazily, a filter of one piece is
// checked at once, too.
func refused(t *testing.T, data []byte, s source) {
	t.Helper()
	check := func(f *filterfile.File, err error) {
		t.Helper()
		if f != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%s, %d bytes: %v", s.name, len(data), err)
		}
	}
	check(filterfile.OpenBytes(data, s.options()...))
	check(filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...))
	check(filterfile.Read(bytes.NewReader(data), s.options()...))
	if err := new(simdbloom.Filter).UnmarshalBinary(data); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Fatal(err)
	}
}

// TestFlippedBitsOfFiles does so with files.
func TestFlippedBitsOfFiles(t *testing.T) {
	data, err := filterfile.Append(nil, fastLocal(t, 70_000).filter)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "filter")
	for i := range 40 {
		changed := slices.Clone(data)
		changed[rand.IntN(len(data))] ^= 1 << (i % 8)
		if i%4 == 0 {
			changed = data[:rand.IntN(len(data))]
		}
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := filterfile.Open(path); f != nil || !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Fatal(err)
		}
		f, err := filterfile.Open(path, filterfile.WithLazyCheck())
		if err == nil {
			err = f.Check()
			f.Close()
		}
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal("lazily:", err)
		}
	}
}

// TestAnswersOfLazyFilters clears all pieces but one. Whatever a lookup reads there is right,
// the others may contain every key, and Err says so as soon as one was looked up.
func TestAnswersOfLazyFilters(t *testing.T) {
	const pieceBytes = 64 << 10
	hashes := vectors.Hashes(6, 2000)
	sound := 0
	for _, s := range lazySources(t) {
		data, err := filterfile.Append(nil, s.filter)
		if err != nil {
			t.Fatal(err)
		}
		body := data[len(data)-len(s.filter.Bytes()):]
		last := (len(body) - 128) / pieceBytes // this and what follows is checked at once
		for whole := range last {
			if (program.Raced || testing.Short() || beginsWithHeader(s)) && whole > 0 {
				break
			}
			changed := slices.Clone(data)
			for i := range last {
				if i != whole {
					clear(changed[len(data)-len(body)+i*pieceBytes:][:pieceBytes])
				}
			}
			open := func() *filterfile.File {
				t.Helper()
				f, err := filterfile.OpenBytes(changed, append(s.options(), filterfile.WithLazyCheck())...)
				if err != nil {
					t.Fatal(s.name, err)
				}
				if err := f.Err(); err != nil {
					t.Fatal(s.name, err)
				}
				return f
			}
			f := open()
			hits := make([]bool, len(s.keys))
			for i, key := range s.keys {
				if hits[i] = f.Contains(key); !hits[i] {
					t.Fatalf("%s: key %d is lost", s.name, i)
				}
			}
			for i := range 100 { // where hashes have other answers than keys
				f.Contains(fmt.Appendf(nil, "other%d", i))
			}
			absent := 0
			for _, hash := range hashes {
				if got := f.ContainsHash(hash); !got {
					absent++
					if s.want != nil && s.want.ContainsHash(hash) {
						t.Fatalf("%s: hash %#x is lost", s.name, hash)
					}
				}
			}
			if absent > 0 {
				sound++
			}
			if last > 1 && (!errors.Is(f.Err(), simdbloom.ErrCorrupt) || !strings.Contains(f.Err().Error(), "piece ")) {
				t.Fatalf("%s: %v", s.name, f.Err())
			}
			if last == 1 {
				continue // nothing was cleared
			}
			if f.Check() == nil || f.EstimatedFPR() != 1 {
				t.Fatalf("%s: Check has no error, or a rate", s.name)
			}
			if _, err := f.MarshalBinary(); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%s: wrong bytes are written again: %v", s.name, err)
			}
			checkHashes(t, open(), f, hashes)
			checkHashes(t, open().CopyAligned(), f, hashes)
			batch := make([]bool, len(s.keys))
			for _, n := range []int{1, 100, len(s.keys)} {
				n = min(n, len(s.keys))
				g := open()
				g.ContainsKeys(s.keys[:n], batch)
				if !slices.Equal(batch[:n], hits[:n]) {
					t.Fatalf("%s: ContainsKeys of %d keys differs", s.name, n)
				}
			}
		}
	}
	if sound < 20 {
		t.Errorf("only %d files had a piece that was of any use", sound)
	}
}

// lazySources are filters of some pieces.
func lazySources(t *testing.T) []source {
	t.Helper()
	all := sources(t, 120_000)
	random := rand.New(rand.NewPCG(3, 4))
	for _, line := range []int{16, 64, 512, 128 << 10} { // RocksDB's legacy lines are the processor's
		body := make([]byte, 256<<10)
		for i := range body {
			body[i] = byte(random.Uint32() | random.Uint32())
		}
		data := binary.LittleEndian.AppendUint32(append(body, 2), uint32(len(body)/line))
		for _, name := range []string{"rocksdb.internal.LegacyBloomFilter:10", "rocksdb.BloomFilter:10"} {
			p, err := policy.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := p.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, source{name: fmt.Sprint(name, " with lines of ", line), filter: f, want: f})
		}
	}
	return slices.DeleteFunc(all, func(s source) bool { return len(s.filter.Bytes()) < 128<<10 })
}

// TestLazyLookupsReadOnePiece: a lookup finds nothing wrong with what it does not read.
func TestLazyLookupsReadOnePiece(t *testing.T) {
	for _, s := range lazySources(t) {
		data, err := filterfile.Append(nil, s.filter)
		if err != nil {
			t.Fatal(err)
		}
		first := data[len(data)-len(s.filter.Bytes()):]
		if beginsWithHeader(s) { // of any contents
			for i := range first[:128] {
				first[i] ^= 4
				if _, err := filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...); !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Errorf("%s: byte %d is changed: %v", s.name, i, err)
				}
				first[i] ^= 4
			}
			continue
		}
		first[0] ^= 1
		f, err := filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.keys) == 0 {
			continue
		}
		looked := 0
		for ; f.Err() == nil; looked++ {
			f.Contains(s.keys[looked])
		}
		if looked == 0 || f.Format() == simdbloom.LevelDB && looked != 1 {
			t.Errorf("%s: found after %d lookups", s.name, looked)
		}
	}
}

func TestReadersThatFail(t *testing.T) {
	files, of := smallFiles(t)
	data, s := files[0], of[0]
	for name, r := range map[string]io.Reader{
		"one byte at a time": iotest.OneByteReader(bytes.NewReader(data)),
		"halves":             iotest.HalfReader(bytes.NewReader(data)),
		"data with EOF":      iotest.DataErrReader(bytes.NewReader(data)),
	} {
		f, err := filterfile.Read(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkFilter(t, s, f, data)
	}
	for n := range data {
		broken := errors.New("broken")
		_, err := filterfile.Read(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	if _, err := filterfile.Read(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(data)))); !errors.Is(err, iotest.ErrTimeout) {
		t.Error(err)
	}
	if _, err := new(filterfile.File).ReadFrom(bytes.NewReader(data)); err == nil {
		t.Error("the zero File has no Filter that could be filled")
	}
	f := &filterfile.File{Filter: new(simdbloom.Filter)}
	if n, err := f.ReadFrom(bytes.NewReader(data)); n != int64(len(data)) || err != nil {
		t.Error(n, err)
	}
	if _, err := f.ReadFrom(bytes.NewReader(data[1:])); err == nil {
		t.Error("no error")
	}
	checkFilter(t, s, f, data) // what it was
}

// TestHeadersThatPromiseMuch take no memory.
func TestHeadersThatPromiseMuch(t *testing.T) {
	files, _ := smallFiles(t)
	for shift := 20; shift < 63; shift++ {
		data := slices.Clone(files[0])
		data[16+shift/8] |= 1 << (shift % 8)
		data = append(data, make([]byte, 3<<20)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := filterfile.Read(io.MultiReader(bytes.NewReader(data)))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal(err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
			t.Errorf("2^%d bytes: %d were allocated", shift, taken)
		}
	}
}

// TestBesideGuards: nothing is read beyond the bytes.
func TestBesideGuards(t *testing.T) {
	files, of := smallFiles(t)
	for i, data := range files {
		testmem.BesideGuards(t, data, func(data []byte) {
			for _, n := range []int{len(data), len(data) - 1, len(data) / 2, 41, 39, 8, 7, 0} {
				f, err := filterfile.OpenBytes(data[len(data)-n:], of[i].options()...)
				if (err == nil) != (n == len(data)) {
					t.Fatal(err)
				}
				if err == nil {
					checkFilter(t, of[i], f, data)
				} else if _, err := filterfile.OpenBytes(data[:n], of[i].options()...); err == nil {
					t.Fatal("cut short")
				}
			}
		})
	}
}

// beginsWithHeader reports whether the first piece is read at once: it says how the rest is read.
func beginsWithHeader(s source) bool {
	return slices.ContainsFunc(contract.Formats(), func(f contract.Format) bool {
		return f.Header != nil && strings.HasPrefix(s.format, f.Family)
	})
}
