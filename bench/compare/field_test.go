package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

func settingsOf(t *testing.T, args ...string) *settings {
	t.Helper()
	s, err := parseSettings(args, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTheFilterIsWhatABuilderBuilds also tests that the number of keys is the
// largest for its bytes.
func TestTheFilterIsWhatABuilderBuilds(t *testing.T) {
	for _, size := range []int{64, 4096, 16 << 10, 100 * 64, 1 << 20} {
		for _, bitsPerKey := range []float64{1, 4.3, 10, 20, 23.4, 100} {
			fill := newFilling(size, bitsPerKey)
			b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			for hashes := range fill.hashes(7, func(int) {}) {
				b.AddHashes(hashes)
			}
			want, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			memory := make([]byte, size, size+spareBytes)
			n, probes, err := new(fastLocal).build(memory, fill, fill.hashes(7, func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			if got := memory[:n]; !bytes.Equal(got, want) || probes == 0 {
				t.Errorf("%d bytes, %v bits/key: %d other bytes than the builder's %d", size, bitsPerKey, len(got), len(want))
			}
			for i := range fill.keys + 1 {
				b.AddHash(i)
			}
			if b.SizeBytes() <= len(want) {
				t.Errorf("%d bytes, %v bits/key: there is room for more than %d keys", size, bitsPerKey, fill.keys)
			}
		}
	}
}

func TestEveryContestantTakesNoMoreThanItsMemory(t *testing.T) {
	for _, size := range []int{64, 192, 4096, 1 << 20} {
		for _, bitsPerKey := range []float64{1, 10, 23.4, 99.9} {
			fill := newFilling(size, bitsPerKey)
			for _, c := range contestants(settingsOf(t)) {
				m, err := pages.Map(pages.Ordinary, size+spareBytes)
				if err != nil {
					t.Fatal(err)
				}
				n, probes, err := c.build(m.Bytes[:size], fill, fill.hashes(1, func(int) {}))
				if err != nil || n > len(m.Bytes) || probes < 1 || bytes.Count(m.Bytes, []byte{0}) == len(m.Bytes) {
					t.Errorf("%s in %d bytes at %v bits/key: %d bytes, %d probes, %v", c.name(), size, bitsPerKey, n, probes, err)
				}
				if err := m.Unmap(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestWhatIsTooLargeForSome(t *testing.T) {
	f := newField(settingsOf(t), newFilling(128<<20, 10))
	var rows []string
	for _, r := range f.rows() {
		rows = append(rows, r.Name)
	}
	all, notes := strings.Join(rows, ","), strings.Join(f.notes, "\n")
	for _, name := range []string{"pebble", "bits-and-blooms"} {
		if strings.Contains(all, name) || !strings.Contains(notes, name+" is left out above 64 MiB") {
			t.Errorf("rows %s, notes %s", all, notes)
		}
	}
	if !strings.Contains(all, "parquet,blobloom") {
		t.Errorf("rows %s", all)
	}
	if f := newField(settingsOf(t, "-rows=touch"), newFilling(128<<20, 10)); len(f.notes) > 0 || len(f.entrants) != 2 {
		t.Errorf("%d contestants, notes %q", len(f.entrants), f.notes)
	}
}

func TestVerifyFindsAWrongAnswer(t *testing.T) {
	s := settingsOf(t)
	fill := newFilling(4096, 10)
	f := &fastLocal{levels: s.levels.values}
	if _, _, err := f.build(make([]byte, fill.bytes, fill.bytes+spareBytes), fill, fill.hashes(0, func(int) {})); err != nil {
		t.Fatal(err)
	}
	keys := newKeySource(0, fill.keys)
	for _, batch := range []int{0, 1, 7, 64, 65, 1000} {
		q := newQueries(1000, batch)
		keys.fill(q, 0.5)
		if err := f.verify(q); err != nil {
			t.Errorf("batch %d: %v", batch, err)
		}
	}
	f.body = make([]byte, fill.bytes) // not what is asked
	q := newQueries(1000, 8)
	keys.fill(q, 0.5)
	if err := f.verify(q); err == nil || !strings.Contains(err.Error(), "false is right") {
		t.Error(err)
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
		r := &timedRow{row: &row{hits: func(*queries) int { return c.hits }}, entrant: c.entrant}
		err := r.check(q, agreed)
		if (err != nil) != (c.problem != "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%d hits: %v, want %q", c.hits, err, c.problem)
		}
	}
}
