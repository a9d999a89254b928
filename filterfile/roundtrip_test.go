package filterfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestEveryFormatRoundTrips: whatever is written is read again, each way, and looks up the same.
func TestEveryFormatRoundTrips(t *testing.T) {
	for _, n := range []int{1, 900, 70_000} {
		if n > 1000 && (program.Raced || testing.Short()) {
			continue
		}
		folder := t.TempDir()
		for i, s := range sources(t, n) {
			t.Run(fmt.Sprint(n, " keys/", s.name), func(t *testing.T) {
				path := filepath.Join(folder, fmt.Sprint(i))
				if err := filterfile.WriteFile(path, s.filter, filterfile.WithKeys(n), filterfile.WithBitsPerKey(9.5)); err != nil {
					t.Fatal(err)
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				checkBytes(t, s, data, n)
				checkRate(t, s, data)
				for name, open := range ways(path, data) {
					for _, lazy := range []bool{false, true} {
						options := s.options()
						if lazy {
							options = append(options, filterfile.WithLazyCheck())
						}
						f, err := open(options...)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						checkFilter(t, s, f, data)
						checkFilter(t, s, &filterfile.File{Filter: f.CopyAligned()}, data)
						if err := f.Close(); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// ways are all ways to open the same file.
func ways(path string, data []byte) map[string]func(...filterfile.OpenOption) (*filterfile.File, error) {
	return map[string]func(...filterfile.OpenOption) (*filterfile.File, error){
		"Open": func(o ...filterfile.OpenOption) (*filterfile.File, error) { return filterfile.Open(path, o...) },
		"OpenBytes": func(o ...filterfile.OpenOption) (*filterfile.File, error) {
			return filterfile.OpenBytes(data, o...)
		},
		"Read": func(o ...filterfile.OpenOption) (*filterfile.File, error) {
			return filterfile.Read(iotest.HalfReader(bytes.NewReader(data)), o...)
		},
		"UnmarshalBinary": func(o ...filterfile.OpenOption) (*filterfile.File, error) {
			f, err := filterfile.OpenBytes(data, o...) // which has the hash
			if err != nil {
				return nil, err
			}
			changed := slices.Clone(data)
			err = f.UnmarshalBinary(changed)
			clear(changed)
			return f, err
		},
	}
}

// checkBytes tests where things are in a file.
func checkBytes(t *testing.T, s source, data []byte, n int) {
	t.Helper()
	info, err := filterfile.ReadInfo(bytes.NewReader(data))
	if err != nil || !filterfile.IsFilterFile(data[:8]) {
		t.Fatal(err)
	}
	if s.format != "" && info.Format != s.format {
		t.Errorf("format %s, want %s", info.Format, s.format)
	}
	body := s.filter.Bytes()
	multiple := 64
	if len(body) >= 64<<10 {
		multiple = 4096
	}
	switch {
	case info.Keys != int64(n) || info.BitsPerKey != 9.5:
		t.Errorf("%+v", info)
	case info.Length != int64(len(body)) || info.Offset%int64(multiple) != 0 || len(data) != int(info.Offset+info.Length):
		t.Errorf("%+v of %d bytes, for a filter of %d", info, len(data), len(body))
	case !bytes.Equal(data[info.Offset:], body):
		t.Error("the filter's bytes differ")
	}
}

// checkFilter compares a filter that was read with the one that was written.
func checkFilter(t *testing.T, s source, f *filterfile.File, data []byte) {
	t.Helper()
	for i := 0; i < len(s.keys); i += 1 + len(s.keys)/1000 {
		if key := s.keys[i]; !f.Contains(key) || i < 100 && !f.ContainsString(string(key)) {
			t.Fatalf("key %d is lost", i)
		}
	}
	hits := make([]bool, len(s.keys))
	f.ContainsKeys(s.keys, hits)
	if i := slices.Index(hits, false); i >= 0 {
		t.Fatalf("key %d is lost", i)
	}
	if s.want != nil {
		checkHashes(t, f, s.want, vectors.Hashes(5, 3000))
		values := vectors.Hashes(6, 300)
		hits, want := make([]bool, len(values)), make([]bool, len(values))
		f.ContainsUint64s(values, hits)
		s.want.ContainsUint64s(values, want)
		if !slices.Equal(hits, want) || f.ContainsUint64(values[7]) != want[7] {
			t.Error("the answers for values differ")
		}
		column := keyhash.Values(values)
		if !slices.Equal(f.AppendColumnHits(nil, column), s.want.AppendColumnHits(nil, column)) {
			t.Error("the answers for a column differ")
		}
		if f.NumProbes() != s.want.NumProbes() || f.Hash() != s.want.Hash() {
			t.Errorf("%d probes, hash %s", f.NumProbes(), f.Hash().Name())
		}
	}
	if !bytes.Equal(f.Bytes(), s.filter.Bytes()) || f.SizeBytes() != len(s.filter.Bytes()) {
		t.Error("Bytes differ")
	}
	again, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("a file that was read is another one when written again (%v)", err)
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
	if err := f.Check(); err != nil {
		t.Error(err)
	}
}

// checkRate is for one way to open: some formats take milliseconds.
func checkRate(t *testing.T, s source, data []byte) {
	t.Helper()
	f, err := filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...)
	if err != nil {
		t.Fatal(err)
	}
	if s.want != nil && f.EstimatedFPR() != s.want.EstimatedFPR() {
		t.Errorf("rate %v, want %v", f.EstimatedFPR(), s.want.EstimatedFPR())
	}
}

// queries are those of hashes.
type queries interface {
	ContainsHash(hash uint64) bool
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	AppendHits(dst []int, hashes []uint64) []int
}

func checkHashes(t *testing.T, f, want queries, hashes []uint64) {
	t.Helper()
	for _, n := range []int{0, 1, 63, 64, 100, len(hashes)} {
		got, wanted := make([]bool, n), make([]bool, n)
		f.ContainsHashes(hashes[:n], got)
		want.ContainsHashes(hashes[:n], wanted)
		words, wantedWords := make([]uint64, n/64+2), make([]uint64, n/64+2)
		f.ContainsHashBits(hashes[:n], words)
		want.ContainsHashBits(hashes[:n], wantedWords)
		if !slices.Equal(got, wanted) || !slices.Equal(words, wantedWords) ||
			!slices.Equal(f.AppendHits([]int{7}, hashes[:n]), want.AppendHits([]int{7}, hashes[:n])) {
			t.Fatalf("the answers for %d hashes differ", n)
		}
	}
	for _, hash := range hashes[:500] {
		if f.ContainsHash(hash) != want.ContainsHash(hash) {
			t.Fatalf("hash %#x differs", hash)
		}
	}
}

func TestUnknownKeysAndBits(t *testing.T) {
	s := fastLocal(t, 10)
	data, err := filterfile.Append([]byte("before"), s.filter)
	if err != nil || string(data[:6]) != "before" {
		t.Fatal(err)
	}
	f, err := filterfile.OpenBytes(data[6:])
	if err != nil {
		t.Fatal(err)
	}
	if info := f.Info(); info.Keys != -1 || info.BitsPerKey != 0 {
		t.Errorf("%+v", info)
	}
	// What was recorded stays, except for what options say.
	g, err := filterfile.New(f, filterfile.WithKeys(0))
	if err != nil {
		t.Fatal(err)
	}
	g, err = filterfile.New(g, filterfile.WithBitsPerKey(7))
	if err != nil {
		t.Fatal(err)
	}
	if info := g.Info(); info.Keys != 0 || info.BitsPerKey != 7 || f.Info().Keys != -1 {
		t.Errorf("%+v, of %+v", info, f.Info())
	}
}

// TestAnotherHash: no filter is opened with another key hash than its own.
func TestAnotherHash(t *testing.T) {
	same := keyhash.New(ownHash.Name(), keyhash.XX64.Sum64)
	for _, s := range sources(t, 10) {
		data, err := filterfile.Append(nil, s.filter)
		if err != nil {
			t.Fatal(err)
		}
		info, err := filterfile.ReadInfo(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, hash := range []keyhash.Hash{{}, keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32, same} {
			f, err := filterfile.OpenBytes(data, filterfile.WithHash(hash))
			switch {
			case err == nil && (f.Info() != info || info.Hash == ownHash.Name() && f.Hash() != hash):
				t.Errorf("%s is opened with %s", s.name, f.Hash().Name())
			case err != nil && (!errors.Is(err, simdbloom.ErrUnknown) || errors.Is(err, simdbloom.ErrCorrupt)):
				t.Errorf("%s: %v", s.name, err)
			case err != nil && !hash.IsZero() && hash.Name() == info.Hash:
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

// wrapper is a user's own type, and stranger hides what tells a filter's format.
type (
	wrapper  struct{ *simdbloom.Filter }
	stranger struct{ f *simdbloom.Filter }
)

func (s stranger) Bytes() []byte { return s.f.Bytes() }

func TestWrapper(t *testing.T) {
	p := policy.Paired(16)
	b := p.NewBuilder()
	b.Add([]byte("apple"))
	made, err := filterfile.New(wrapper{must(b.Filter())}, nil)
	if err != nil || made.Info().Format != p.Name() || !made.ContainsString("apple") {
		t.Fatal(err)
	}
}

// TestMisuse: the error says what is wrong, and nothing is written.
func TestMisuse(t *testing.T) {
	s := fastLocal(t, 10)
	const isNil, isZero = "filterfile: the filter is nil", "filterfile: the zero filter cannot be stored"
	for says, sources := range map[string][]filterfile.Source{
		isNil: {
			nil, (*simdbloom.Filter)(nil), (*simdbloom.Mutable)(nil), (*simdbloom.Concurrent)(nil), (*filterfile.File)(nil), (*wrapper)(nil),
		},
		isZero: {new(simdbloom.Filter), new(simdbloom.Mutable), new(simdbloom.Concurrent)},
		"filterfile: the File is closed, or was never filled":                            {new(filterfile.File)},
		"filterfile: a filter of type filterfile_test.stranger does not tell its format": {stranger{must(bloom.Open(nil, keyhash.XX64))}},
	} {
		for _, f := range sources {
			path := filepath.Join(t.TempDir(), "filter")
			made, newErr := filterfile.New(f)
			before, appendErr := filterfile.Append([]byte("before"), f)
			errs := []error{newErr, appendErr, filterfile.WriteFile(path, f), filterfile.Write(io.Discard, f)}
			for _, err := range errs {
				if err == nil || !strings.HasPrefix(err.Error(), says) {
					t.Errorf("%T: %v, want %s", f, err, says)
				}
			}
			if _, err := os.Stat(path); err == nil || made != nil || string(before) != "before" {
				t.Errorf("%T: something was written", f)
			}
		}
	}
	zero := 0.0
	for says, options := range map[string][]filterfile.WriteOption{
		"WithKeys must be at least 0, not -1": {filterfile.WithKeys(-1)},
		"WithBitsPerKey must be above 0 and finite, not ": {
			filterfile.WithBitsPerKey(0), filterfile.WithBitsPerKey(-1), filterfile.WithBitsPerKey(zero / zero), filterfile.WithBitsPerKey(1 / zero),
		},
	} {
		for _, option := range options {
			if _, err := filterfile.New(s.filter, option); err == nil || !strings.HasPrefix(err.Error(), "filterfile: "+says) {
				t.Errorf("%v, want %s", err, says)
			}
		}
	}
}
