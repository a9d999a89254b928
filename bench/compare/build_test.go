package main

import (
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// tinyBuild is a comparison that takes a second at most.
var tinyBuild = []string{"-build", "-sizes=32KiB", "-bits_per_key=10,23.4", "-levels=generic", "-rounds=3"}

// addAtLeast sets the number of keys that the test adds in a pass at least.
func addAtLeast(t *testing.T, keys uint64) {
	before := leastAdded
	leastAdded = keys
	t.Cleanup(func() { leastAdded = before })
}

func builtNames(t *buildTable) (names []string) {
	for _, r := range t.Rows {
		names = append(names, r.Name)
	}
	return names
}

func TestEveryWayToBuildHasARow(t *testing.T) {
	addAtLeast(t, 20_000)
	ways := []string{
		"generic build", "generic rebuild", "generic build, verified", "generic rebuild, verified",
		"generic build, 2 CPUs", "generic rebuild, 2 CPUs", "generic build, 2 CPUs, verified", "generic rebuild, 2 CPUs, verified",
	}
	want := slices.Clone(ways)
	for _, prefix := range []string{"paired ", "linear ", "ribbon ", "legacy ", "leveldb ", "linear as fuse 8 "} {
		for _, way := range ways {
			if !strings.HasPrefix(prefix, "le") || !strings.Contains(way, "CPUs") {
				want = append(want, prefix+way)
			}
		}
	}
	want = append(want, "fuse 8", "parquet", "pebble build", "pebble Legacy generic build")
	got := figures(t, append(tinyBuild, "-concurrency=1,2", "-verification", "-add=1000")...)
	if len(got.Filters) != 2 {
		t.Fatalf("%d filters, not 2", len(got.Filters))
	}
	for i, f := range got.Filters {
		table := f.Building
		if f.Bytes != 32<<10 || f.BitsPerKey != []float64{10, 23.4}[i] || f.Keys != []uint64{26214, 11202}[i] || len(f.Tables) > 0 {
			t.Errorf("%+v", f)
		}
		if table.Add != 1000 || table.Rounds != 3 || table.Builds != []int{1, 2}[i] || table.Memory != lentMemory {
			t.Errorf("%+v", table)
		}
		rows := slices.Clone(want)
		if i == 1 {
			for j := range rows {
				rows[j] = strings.Replace(rows[j], "fuse 8", "fuse 16", 1)
			}
		}
		if names := builtNames(table); !slices.Equal(names, rows) {
			t.Errorf("%q", names)
		}
		for _, r := range table.Rows {
			checkBuiltRow(t, f, r)
		}
	}
}

func checkBuiltRow(t *testing.T, f *filters, r *builtRow) {
	t.Helper()
	if len(r.NS) != 3 || !(0 < r.MinNS && r.MinNS <= r.MedianNS && r.MedianNS <= r.MaxNS) || r.ToReference <= 0 {
		t.Errorf("%+v", r)
	}
	few := f.BitsPerKey == 10
	bytes, has, level := f.Bytes+5, probes(6+tables.One(!few)*6), "generic"
	most := bytes
	switch name := r.Name; {
	case strings.HasPrefix(name, "paired "):
		bytes, has = f.Bytes+4, probes(8+tables.One(!few)*8)
		most = bytes
	case strings.HasPrefix(name, "linear generic"):
		bytes, most, has = f.Bytes*98/100, f.Bytes+72, chosen{Fingerprint: 9 + tables.One(!few)*12}
	case strings.HasPrefix(name, "linear as"):
		bytes, most, has = f.Bytes*7/10, f.Bytes*85/100, chosen{Fingerprint: 8 + tables.One(!few)*8}
	case strings.HasPrefix(name, "ribbon "):
		bytes, most, has = f.Bytes*6/10, f.Bytes*3/4, probes(7+tables.One(!few)*8)
	case strings.HasPrefix(name, "legacy "), strings.HasPrefix(name, "pebble "):
		bytes, most, has = f.Bytes*98/100, f.Bytes+64+5, probes(6+tables.One(!few)*9)
		if name == "pebble build" {
			level = ""
		}
	case strings.HasPrefix(name, "leveldb "):
		bytes, most, has = f.Bytes*98/100, f.Bytes+1, probes(6+tables.One(!few)*9)
	case strings.HasPrefix(name, "fuse"):
		bytes, most, has, level = f.Bytes*7/10, f.Bytes, chosen{Fingerprint: 8 + tables.One(!few)*8}, ""
	default:
		if name == reference {
			bytes, most, has, level = f.Bytes, f.Bytes, probes(8), ""
		}
	}
	if r.Bytes < bytes || r.Bytes > most || r.chosen != has || r.Level != level || r.Name == reference && r.ToReference != 1 {
		t.Errorf("%+v", r)
	}
	if got, want := r.BitsPerKey, 8*float64(r.Bytes)/float64(f.Keys); got != want {
		t.Errorf("%s: %v bits/key, not %v", r.Name, got, want)
	}
	concurrency := 1
	if strings.Contains(r.Name, ", 2 CPUs") {
		concurrency = 2
	}
	if r.Concurrency != concurrency || r.Verification != strings.HasSuffix(r.Name, ", verified") || r.Again != strings.Contains(r.Name, " rebuild") {
		t.Errorf("%+v", r)
	}
}

func TestTextOfBuilding(t *testing.T) {
	addAtLeast(t, 14_000)
	text := succeed(t, append(tinyBuild, "-sizes=32KiB,17KiB", "-pages=ordinary")...)
	squeezed := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }), " ")
	for _, part := range []string{
		"\n== 32 KiB at 10 bits/key: 26214 keys. Pages of parquet: ordinary.\n", "\n== 17 KiB at 23.4 bits/key: 5951 keys. Pages",
		"\nnote: paired is left out: its size is a multiple of 2 KiB\n",
		"\nBuilding in free memory that the machine's host, if it has one, has lent it, up to 65536 hashes a call, 3 rounds of 2 filters:\n",
		" generic build 32773 10.00 6 ", " paired generic rebuild 32772 23.40 16 ", " parquet 32768 10.00 8 ",
		" legacy generic build 32837 10.02 6 ", " leveldb generic rebuild 32769 10.00 6 ", " pebble build 32837 10.02 6 ", " pebble Legacy generic build 32837 10.02 6 ",
		" linear generic build 32788 10.01 r=9 ", " linear as fuse 16 generic build 24028 17.16 r=16 ", " fuse 16 28672 20.48 r=16 ", " 1.000 ", "\nLegend:\n",
	} {
		if !strings.Contains(squeezed, part) {
			t.Errorf("no %q in the text", part)
		}
	}
	for _, part := range []string{"NaN", "Inf", "%!", "CPUs\n", "touch"} {
		if strings.Contains(text, part) {
			t.Errorf("%q in the text", part)
		}
	}
	text = succeed(t, append(tinyBuild, "-memory=heaps", "-rows=^paired.* build", "-add=7", "-sizes=8KiB")...)
	for _, part := range []string{"\nBuilding in memory that Go's heap has used before, up to 7 hashes a call, 3 rounds of 3 filters:\n", " paired generic build ", " parquet "} {
		if !strings.Contains(text, part) || strings.Contains(text, " generic rebuild ") {
			t.Errorf("no %q in the text", part)
		}
	}
}

func TestLargeFiltersOfParquetAreInTheChosenPages(t *testing.T) {
	const note = "parquet has ordinary pages: a huge one is larger than the filter"
	for args, want := range map[string]struct {
		pages string
		noted bool
	}{
		"-sizes=2MiB -pages=ordinary": {"ordinary", false},
		"-sizes=2MiB -pages=huge":     {"huge", false},
		"-sizes=1MiB -pages=huge":     {"ordinary", true},
	} {
		if runtime.GOOS != "linux" && strings.Contains(args, "huge") {
			continue
		}
		f := figures(t, append(strings.Fields(args), "-build", "-bits_per_key=50", "-rows=parquet", "-rounds=1")...).Filters[0]
		if f.Pages != want.pages || slices.Contains(f.Notes, note) != want.noted || f.Pages == "ordinary" && f.HugeShare != 0 {
			t.Errorf("%s: %+v", args, f)
		}
		t.Logf("%s: %v in huge pages", args, f.HugeShare)
	}
}

func TestMoreCPUsThanThereAre(t *testing.T) {
	addAtLeast(t, 1)
	for concurrency, want := range map[string]bool{"1": false, "1,1000": true} {
		notes := figures(t, append(tinyBuild, "-concurrency="+concurrency, "-rows=generic build$", "-rounds=1")...).Notes
		if said := strings.Contains(strings.Join(notes, "\n"), "rows of 1000 CPUs have no more than"); said != want {
			t.Errorf("-concurrency=%s: %q", concurrency, notes)
		}
	}
}

// TestWhatIsBuiltIsWhatIsQueried compares with the filters of lookups, which no builder
// has made.
func TestWhatIsBuiltIsWhatIsQueried(t *testing.T) {
	s := settingsOf(t, "-build", "-concurrency=1,3", "-verification", "-add=777")
	for _, size := range []int{8 << 10, 6 << 10, 128 << 10} {
		fill := newFilling(size, 10, 0)
		site := newSite(s, fill)
		for _, e := range newField(s, fill).entrants {
			memory := make([]byte, size, size+spareBytes)
			n, has, err := e.build(memory, fill, fill.hashes(5, func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range e.running {
				is, err := site.build(r, 5, new(timing.Stopwatch))
				if err != nil {
					t.Fatal(err)
				}
				if is.bytes != n || is.chosen != has || is.digest != keyhash.XX64.Sum64(memory[:n]) {
					t.Errorf("%s of %d bytes: %+v", r.name, size, is)
				}
			}
		}
	}
}

// recorder is a builder that keeps what is done with it.
type recorder struct {
	begun   int
	filters [][]uint64
	calls   []int
	procs   int
	data    []byte
	err     error // of its second filter
}

func (c *recorder) AddHashes(hashes []uint64) {
	if len(c.filters) == 0 {
		c.filters = append(c.filters, nil)
	}
	last := &c.filters[len(c.filters)-1]
	*last = append(*last, hashes...)
	c.calls = append(c.calls, len(hashes))
	c.procs = runtime.GOMAXPROCS(0)
}

func (c *recorder) Finish() ([]byte, error) {
	c.filters = append(c.filters, nil)
	if len(c.filters) == 3 {
		return c.data, c.err
	}
	return c.data, nil
}

func (c *recorder) ContainsHash(hash uint64) bool {
	return slices.Contains(c.filters[len(c.filters)-2], hash)
}

func (c *recorder) row(again bool, concurrency int) *row {
	return &row{level: cpu.Generic, build: &building{
		concurrency: concurrency, again: again,
		begin: func(filling) (builder, error) { c.begun++; return c, nil },
		open:  func(builder, []byte) (reader, chosen, error) { return c, probes(6), nil },
		suits: func(fill filling, bytes int) bool { return bytes/64*64 == fill.bytes },
	}}
}

func TestABuilderIsGivenAllHashesInCalls(t *testing.T) {
	fill := newFilling(1024, 10, 0)
	for _, add := range []string{"1", "100", "819", "64Ki"} {
		site := newSite(settingsOf(t, "-build", "-add="+add), fill)
		for _, again := range []bool{false, true} {
			c := &recorder{data: make([]byte, fill.bytes+5)}
			procs := runtime.GOMAXPROCS(0)
			var watch timing.Stopwatch
			if _, err := site.build(c.row(again, procs+1), 3, &watch); err != nil || watch.PerKey(fill.keys) <= 0 {
				t.Fatal(err, watch)
			}
			if c.procs != procs+1 || runtime.GOMAXPROCS(0) != procs {
				t.Errorf("GOMAXPROCS %d, and %d afterwards", c.procs, runtime.GOMAXPROCS(0))
			}
			filters := 1 + tables.One(again)
			last := c.filters[filters-1]
			if c.begun != 1 || len(c.filters) != filters+1 || len(last) != int(fill.keys) || slices.Max(c.calls) != min(site.add, int(fill.keys)) {
				t.Errorf("%d builders, %d filters, calls of %d", c.begun, len(c.filters)-1, c.calls)
			}
			for number, hash := range last {
				if hash != hashOf(3, uint64(number)) || again && c.filters[0][number] == hash {
					t.Fatalf("hash %d is %#x", number, hash)
				}
			}
		}
	}
}

func TestFiltersThatAreNotRight(t *testing.T) {
	fill := newFilling(1024, 10, 0)
	site := newSite(settingsOf(t, "-build"), fill)
	failure := errors.New("failure")
	for _, c := range []struct {
		recorder
		problem string
	}{
		{recorder{data: make([]byte, 1024)}, ""},
		{recorder{data: make([]byte, 1024+64)}, "1088 bytes were built, where there is memory for 1024"},
		{recorder{data: make([]byte, 1023)}, "1023 bytes were built, where there is memory for 1024"},
		{recorder{data: make([]byte, 1024), err: failure}, "failure"},
	} {
		_, err := site.build(c.row(true, 1), 3, new(timing.Stopwatch))
		if (err != nil) != (c.problem != "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%v, want %q", err, c.problem)
		}
	}
	forgetful := &recorder{filters: [][]uint64{{1}, nil}}
	if _, err := site.inspect(forgetful.row(false, 1).build, forgetful, make([]byte, 1024), 3); err == nil || !strings.Contains(err.Error(), "FALSE NEGATIVE") {
		t.Error(err)
	}
}

func TestOtherBytesThanAnotherRowHas(t *testing.T) {
	mine, another := new(entrant), new(entrant)
	digests := make(map[digested]uint64)
	for _, c := range []struct {
		entrant *entrant
		n       int
		digest  uint64
		right   bool
	}{{mine, 0, 5, true}, {mine, 1, 6, true}, {another, 0, 7, true}, {mine, 0, 5, true}, {mine, 1, 5, false}, {another, 0, 5, false}} {
		r := &builtRow{times: times{entrant: c.entrant}}
		if err := r.check(&built{digest: c.digest}, 10, c.n, digests); (err == nil) != c.right {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestLenderKnowsThePeak: what it lends is not counted, what is used before it lends
// again is.
func TestLenderKnowsThePeak(t *testing.T) {
	const size = 64 << 20
	if !machine.ResetPeak() {
		t.Skip("the system does not say")
	}
	for _, kind := range []memory{lentMemory, freeMemory} {
		debug.FreeOSMemory()
		l, fill := newLender(kind), newFilling(2*size, 10, 0)
		use := func(bytes int) {
			used := make([]byte, bytes)
			for i := range used {
				used[i] = 1
			}
			runtime.KeepAlive(used)
			used = nil
			debug.FreeOSMemory()
		}
		var errs []error
		errs = append(errs, l.filter(fill))
		use(size)
		errs = append(errs, l.hashes(fill, 1), l.filter(fill), l.hashes(fill, 1))
		use(size / 4)
		l.notePeak()
		if err := errors.Join(errs...); err != nil || l.peak < size*9/10 || l.peak > size*5/4 {
			t.Errorf("%s: %d bytes at the peak, %v", kind, l.peak, err)
		}
	}
}
