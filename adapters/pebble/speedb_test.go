package pebble_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

const speedbName = "speedb_paired_bloom_filter"

var speedbTexts = []string{"speedb.PairedBloomFilter:%v", "speedb_paired_bloom_filter:%v", "simdbloom.Paired32.XXPH3:%v"}

// TestForSpeedb writes the bytes of Speedb's own builder under its name.
func TestForSpeedb(t *testing.T) {
	for i, v := range vectors.Paired32Keys() {
		if v.BitsPerKey < 1 || v.N == 0 {
			continue
		}
		var options []root.Option
		if v.IsBottommost {
			options = append(options, building.WithRoundDown)
		}
		text := fmt.Sprintf(speedbTexts[i%len(speedbTexts)], v.BitsPerKey)
		p := simdbloom.ForSpeedb(parse(t, text), nil, options...)
		keys := vectors.Keys(v.Keys, 0, v.N)
		filter := write(p, nil, keys)
		if digest := sha256.Sum256(filter); p.Name() != speedbName || fmt.Sprint(p) != text || !slices.Equal(digest[:], v.SHA256) {
			t.Errorf("%s, %d keys: named %q, %v, or other bytes", text, v.N, p.Name(), p)
		}
		checkReads(t, p, filter, keys)
	}
}

// checkReads: the policy, and what Filters has under its name, contain the keys, and few others.
func checkReads(t *testing.T, p pebble.FilterPolicy, filter []byte, keys [][]byte) {
	t.Helper()
	for what, reader := range map[string]pebble.FilterPolicy{"itself": p, "Filters": simdbloom.Filters()[p.Name()], "Filters of it": simdbloom.Filters(p)[p.Name()]} {
		for _, key := range keys {
			if !reader.MayContain(pebble.TableFilter, filter, key) {
				t.Fatalf("%v, read by %s: %q is lost", p, what, key)
			}
		}
	}
}

// TestSpeedb21: the filters of Speedb 2.1 are in larger batches, under the same name.
func TestSpeedb21(t *testing.T) {
	for _, v := range vectors.Paired21Keys() {
		b, err := paired.NewBuilder(v.BitsPerKey, keyhash.XXPH3, paired.WithBatchBlocks(128), building.WithRoundDown)
		if err != nil {
			t.Fatal(err)
		}
		keys := vectors.Keys(v.Keys, 0, v.N)
		b.AddKeys(keys)
		filter, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		filter[len(filter)-2] = 0
		if digest := sha256.Sum256(filter); !slices.Equal(digest[:], v.SHA256) {
			t.Fatal("other bytes than Speedb's")
		}
		checkReads(t, simdbloom.ForSpeedb(parse(t, "simdbloom.Paired32.XXPH3:10"), nil), filter, keys)
	}
}

// TestForSpeedbRefuses what Speedb would not read, or would lose keys by.
func TestForSpeedbRefuses(t *testing.T) {
	message := func(text string, comparer *pebble.Comparer, options ...root.Option) (message string) {
		defer func() { message = fmt.Sprint(recover()) }()
		simdbloom.ForSpeedb(parse(t, text), comparer, options...)
		return ""
	}
	for _, text := range append(texts, "simdbloom.Paired32.XX64:10", "simdbloom.Paired128.XXPH3:10") {
		want := "Speedb does not read the filters of " + text
		if strings.HasPrefix(text, "speedb.") {
			want = "<nil>"
		}
		if got := message(text, nil); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	prefixes := *pebble.DefaultComparer
	prefixes.Split = func(key []byte) int { return min(4, len(key)) }
	if got := message("speedb.PairedBloomFilter:10", &prefixes); !strings.Contains(got, "Speedb looks up whole keys") || !strings.Contains(got, "has a Split") {
		t.Error(got)
	}
	if got := message("speedb.PairedBloomFilter:10", nil, root.WithMaxBytes(1)); !strings.Contains(got, "MaxBytes") {
		t.Error(got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "nil") {
			t.Error(got)
		}
	}()
	simdbloom.ForSpeedb(nil, nil)
}

// TestStoreForSpeedb: Pebble itself uses the filters, before and after the policies change.
func TestStoreForSpeedb(t *testing.T) {
	keys, absent := numbered(0, 4000), absentAmong(1000)
	fs := vfs.NewMem()
	s := open(t, fs, onAllLevels(simdbloom.ForSpeedb(parse(t, "speedb.PairedBloomFilter:23.4"), nil)))
	s.flush(keys[:2000])
	s.compact()
	s.flush(keys[2000:])
	for _, next := range []func(o *pebble.Options){
		func(o *pebble.Options) {
			setPolicies(o, bloom.FilterPolicy(10)) // Filters is what reads
			o.Filters = simdbloom.Filters()
		},
		nil,
	} {
		s.checkPresent(keys)
		if n := s.rejected(s.withL6, absent); n < 990 {
			t.Errorf("%d of %d absent keys rejected", n, len(absent))
		}
		s.must(s.Close())
		if next != nil {
			s = open(t, fs, next)
		}
	}
}
