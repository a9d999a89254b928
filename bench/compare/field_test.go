package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/pages"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
)

func settingsOf(t *testing.T, args ...string) *settings {
	t.Helper()
	s, err := parseSettings(args, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTheFiltersAreWhatBuildersBuild also tests that the number of keys is the
// largest for a FastLocal filter's bytes.
func TestTheFiltersAreWhatBuildersBuild(t *testing.T) {
	s := settingsOf(t, "-offset=48")
	for _, bitsPerKey := range []float64{1, 4.3, 10, 20, 23.4, 100} {
		for _, size := range []int{64, 4096, 16 << 10, 100 * 64, 1 << 20} {
			b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			fill := newFilling(size, bitsPerKey, 0)
			testBuilding(t, newFastLocal(s), s.offset, fill, b)
			full := b.SizeBytes()
			b.AddHash(0)
			if b.SizeBytes() <= full {
				t.Errorf("%d bytes, %v bits/key: there is room for more than %d keys", size, bitsPerKey, fill.keys)
			}
		}
		for _, size := range []int{64, 4096, 100 * 64, 1 << 20} {
			if bitsPerKey < 8 {
				continue // the builder would take more
			}
			b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			testBuilding(t, newLinear(s), s.offset, newFilling(size, bitsPerKey, 0), b)
		}
		for _, size := range []int{16 << 10, 1 << 20} {
			b, err := ribbon.NewBuilder(bitsPerKey, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			testBuilding(t, newRibbon(s), s.offset, newFilling(size, bitsPerKey, 0), b)
		}
		for _, batchBlocks := range []int{32, 128} {
			for _, batches := range []int{1, 2, 3, 20} {
				b, err := paired.NewBuilder(bitsPerKey, keyhash.XX64, paired.WithBatchBlocks(batchBlocks))
				if err != nil {
					t.Fatal(err)
				}
				fill := newFilling(batches*batchBlocks*asm.BlockBytes, bitsPerKey, 16)
				testBuilding(t, newPaired(s, batchBlocks), s.offset, fill, b)
			}
		}
	}
}

// testBuilding leaves the keys in the builder.
func testBuilding(t *testing.T, c contestant, offset int, fill filling, b interface {
	AddHashes(hashes []uint64)
	AppendFinish(dst []byte) ([]byte, error)
},
) {
	t.Helper()
	add := func() {
		for hashes := range fill.hashes(7, func(int) {}) {
			b.AddHashes(hashes)
		}
	}
	add()
	want, err := b.AppendFinish(nil)
	if err != nil {
		t.Fatal(err)
	}
	memory := make([]byte, fill.bytes, fill.bytes+spareBytes)
	n, has, err := c.build(memory, fill, fill.hashes(7, func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	if got := memory[offset : offset+n]; !bytes.Equal(got, want) || has == (chosen{}) {
		t.Errorf("%s of %d bytes, %v bits/key: %d other bytes than the builder's %d", c.name(), fill.bytes, fill.bitsPerKey, n, len(want))
	}
	add()
}

func TestEveryContestantTakesNoMoreThanItsMemory(t *testing.T) {
	s := settingsOf(t, "-offset=63")
	for _, size := range []int{64, 192, 4096, 1 << 20} {
		for _, bitsPerKey := range []float64{1, 10, 23.4, 99.9} {
			fill := newFilling(size, bitsPerKey, 0)
			for _, c := range s.contestants(fill) {
				if c.leftOut {
					continue
				}
				room := max(size, c.room)
				m, err := pages.Map(pages.Ordinary, room+spareBytes)
				if err != nil {
					t.Fatal(err)
				}
				n, has, err := c.build(m.Bytes[:room], fill, fill.hashes(1, func(int) {}))
				if err != nil || n > len(m.Bytes) || has == (chosen{}) || bytes.Count(m.Bytes, []byte{0}) == len(m.Bytes) {
					t.Errorf("%s in %d bytes at %v bits/key: %d bytes, k %s, %v", c.name(), size, bitsPerKey, n, has, err)
				}
				if err := m.Unmap(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestWhatIsTooLargeForSome(t *testing.T) {
	f := newField(settingsOf(t), newFilling(128<<20, 10, 0))
	var rows []string
	for _, r := range f.rows() {
		rows = append(rows, r.Name)
	}
	all, notes := strings.Join(rows, ","), strings.Join(f.notes, "\n")
	for _, name := range []string{"ribbon", "pebble", "bits-and-blooms", "fuse 8", "linear as fuse 8"} {
		if strings.Contains(all, name) || !strings.Contains(notes, name+" is left out above 64 MiB: building it takes too much ") {
			t.Errorf("rows %s, notes %s", all, notes)
		}
	}
	if !strings.Contains(all, "parquet,blobloom") || !strings.Contains(all, "linear generic stateless") {
		t.Errorf("rows %s", all)
	}
	if f := newField(settingsOf(t, "-rows=touch"), newFilling(128<<20, 10, 0)); len(f.notes) > 0 || len(f.entrants) != 2 {
		t.Errorf("%d contestants, notes %q", len(f.entrants), f.notes)
	}
}

func TestVerifyFindsAWrongAnswer(t *testing.T) {
	s := settingsOf(t)
	for _, keyBytes := range []int{0, 16} {
		fill := newFilling(16<<10, 10, keyBytes)
		testVerify(t, newFastLocal(s).own, fill)
		testVerify(t, newPaired(s, 128), fill)
		testVerify(t, newPaired(s, 32), fill)
		testVerify(t, newLinear(s), fill)
		testVerify(t, newRibbon(s), fill)
		testVerify(t, newLegacy(s), fill)
		testVerify(t, newLevelDB(s), fill)
		testVerify(t, newLinearOfRate(s, "linear as another", 8), fill)
	}
}

func testVerify(t *testing.T, o *own, fill filling) {
	t.Helper()
	if _, _, err := o.build(make([]byte, fill.bytes, fill.bytes+spareBytes), fill, fill.hashes(0, func(int) {})); err != nil {
		t.Fatal(err)
	}
	keys := newKeySource(0, fill.keys)
	verify := func(batch int) error {
		q := newQueries(1000, batch, fill.keyBytes)
		keys.fill(q, 0.5)
		return o.verify(q)
	}
	for _, batch := range []int{0, 1, 7, 64, 65, 1000} {
		if err := verify(batch); err != nil {
			t.Errorf("%s, batch %d: %v", o.name(), batch, err)
		}
	}
	o.body = make([]byte, len(o.body)) // not the body that rows query
	if err := verify(8); err == nil || !strings.Contains(err.Error(), "false is right") {
		t.Errorf("%s: %v", o.name(), err)
	}
}

func TestCheckFindsLostKeysAndDisagreement(t *testing.T) {
	q := &queries{present: 10}
	mine, another := new(entrant), new(entrant)
	agreed := make(map[*entrant]int)
	for _, c := range []struct {
		entrant *entrant
		hits    int
		problem string
	}{
		{mine, 12, ""},
		{mine, 12, ""},
		{another, 11, ""},
		{mine, 13, "another row of the same filter has 12"},
		{another, 9, "FALSE NEGATIVE"},
	} {
		r := &timedRow{times: times{row: &row{hits: func(*queries) int { return c.hits }}, entrant: c.entrant}}
		err := r.check(q, q, agreed)
		if (err != nil) != (c.problem != "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%d hits: %v, want %q", c.hits, err, c.problem)
		}
	}
}
