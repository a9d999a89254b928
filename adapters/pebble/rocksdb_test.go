package pebble_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// rocksDBTexts are a policy of each format that RocksDB reads.
var rocksDBTexts = []string{"rocksdb.BloomFilter:10", "ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10"}

// TestForRocksDB writes the policy's bytes under RocksDB's name. Every policy of that name here reads
// them.
func TestForRocksDB(t *testing.T) {
	const name = "rocksdb.BuiltinBloomFilter"
	keys, absent := numbered(0, 20_000), absentAmong(2000)
	for _, text := range rocksDBTexts {
		p := simdbloom.ForRocksDB(parse(t, text), nil)
		if p.Name() != name || fmt.Sprint(p) != text {
			t.Errorf("%s: named %q, %v", text, p.Name(), p)
		}
		filter := write(p, nil, keys)
		if !bytes.Equal(filter, write(simdbloom.FilterPolicy(parse(t, text)), nil, keys)) {
			t.Errorf("%s: other bytes", text)
		}
		for what, reader := range map[string]pebble.FilterPolicy{
			"itself": p, "Legacy": simdbloom.Legacy(10), "Filters": simdbloom.Filters()[name], "Filters of it": simdbloom.Filters(p)[name],
			"FastLocal's": simdbloom.ForRocksDB(parse(t, rocksDBTexts[0]), pebble.DefaultComparer),
		} {
			for _, key := range keys {
				if !reader.MayContain(pebble.TableFilter, filter, key) {
					t.Fatalf("%s, read by %s: %q is lost", text, what, key)
				}
			}
			found := 0
			for _, key := range absent {
				if reader.MayContain(pebble.TableFilter, filter, key) {
					found++
				}
			}
			if found > len(absent)/30 {
				t.Errorf("%s, read by %s: %d of %d absent keys are found", text, what, found, len(absent))
			}
		}
	}
}

// TestPebblesReaderFails is the danger that ForRocksDB's documentation tells of.
func TestPebblesReaderFails(t *testing.T) {
	lost := func(text string, n int) (lost int, panicked bool) {
		defer func() { panicked = recover() != nil }()
		keys := numbered(0, n)
		filter := write(simdbloom.ForRocksDB(parse(t, text), nil), nil, keys)
		for _, key := range keys {
			if !bloom.FilterPolicy(10).MayContain(pebble.TableFilter, filter, key) {
				lost++
			}
		}
		return lost, false
	}
	for _, c := range []struct {
		text   string
		n      int
		panics bool
	}{
		{"rocksdb.BloomFilter:10", 500, true},
		{"rocksdb.BloomFilter:10", 20_000, false},
		{"ribbonfilter:10", 20_000, true},
		{"ribbonfilter:30", 20_000, false},
	} {
		if lost, panicked := lost(c.text, c.n); panicked != c.panics || !panicked && lost < c.n/2 {
			t.Errorf("%s, %d keys: %d are lost, panicked %v", c.text, c.n, lost, panicked)
		}
	}
	if lost, panicked := lost("rocksdb.internal.LegacyBloomFilter:10", 20_000); lost > 0 || panicked {
		t.Errorf("RocksDB's legacy filter: %d keys are lost, panicked %v", lost, panicked)
	}
}

// TestForRocksDBRefuses what RocksDB would not read, or would lose keys by.
func TestForRocksDBRefuses(t *testing.T) {
	message := func(text string, comparer *pebble.Comparer, options ...root.Option) (message string) {
		defer func() { message = fmt.Sprint(recover()) }()
		simdbloom.ForRocksDB(parse(t, text), comparer, options...)
		return ""
	}
	for _, text := range texts {
		want := "RocksDB does not read the filters of " + text
		if strings.HasPrefix(text, "rocksdb.") || strings.HasPrefix(text, "ribbonfilter") {
			want = "<nil>"
		}
		if got := message(text, nil); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	prefixes := *pebble.DefaultComparer
	prefixes.Split = func(key []byte) int { return min(4, len(key)) }
	if got := message(rocksDBTexts[0], &prefixes); !strings.Contains(got, "has a Split") {
		t.Error(got)
	}
	prefixes.Split = nil
	if got := message(rocksDBTexts[0], &prefixes); got != "<nil>" {
		t.Error(got)
	}
	if got := message(rocksDBTexts[0], nil, root.WithMaxBytes(1)); !strings.Contains(got, "MaxBytes") {
		t.Error(got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "nil") {
			t.Error(got)
		}
	}()
	simdbloom.ForRocksDB(nil, nil)
}

// TestStoreForRocksDB: Pebble itself uses the filters, before and after the policies change.
func TestStoreForRocksDB(t *testing.T) {
	keys, absent := numbered(0, 4000), absentAmong(1000)
	for _, text := range rocksDBTexts {
		fs := vfs.NewMem()
		s := open(t, fs, onAllLevels(simdbloom.ForRocksDB(parse(t, text), nil)))
		s.flush(keys[:2000])
		s.compact()
		s.flush(keys[2000:])
		for _, next := range []func(o *pebble.Options){
			onAllLevels(simdbloom.Legacy(10)),
			func(o *pebble.Options) {
				setPolicies(o, bloom.FilterPolicy(10)) // Filters is what reads
				o.Filters = simdbloom.Filters()
			},
			nil,
		} {
			s.checkPresent(keys)
			if n := s.rejected(s.withL6, absent); n < 900 {
				t.Errorf("%s: %d of %d absent keys rejected", text, n, len(absent))
			}
			s.must(s.Close())
			if next != nil {
				s = open(t, fs, next)
			}
		}
	}
}
