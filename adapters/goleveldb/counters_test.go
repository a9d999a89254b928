package goleveldb_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/filterblock"
)

// Four goroutines look keys up in filters of every name, whose bytes and answers are those
// of the filter that is counted.
func TestCounted(t *testing.T) {
	present := presentKeys(digests, 2000)
	for _, f := range append(goleveldb.AltFilters(), filter.NewBloomFilter(10), goleveldb.FastLocal(3)) {
		var counters filterblock.Counters
		c := goleveldb.Counted(f, &counters)
		if c.Name() != f.Name() {
			t.Errorf("name %s, want %s", c.Name(), f.Name())
		}
		var written, same util.Buffer
		generate(c.NewGenerator(), &written, present)
		generate(f.NewGenerator(), &same, present)
		if written.String() != same.String() {
			t.Errorf("%s: other bytes", f.Name())
		}
		data := written.Bytes()
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for _, key := range present {
					if !c.Contains(data, key) {
						t.Errorf("%s: a false negative", f.Name())
					}
					counters.Found(key)
				}
			}()
		}
		wait.Wait()
		want := filterblock.Counts{Positives: 8000, TruePositives: 8000}
		for i := range 2000 {
			key := keys(digests).absent(i)
			may := f.Contains(data, key)
			if may {
				want.Positives++
			} else {
				want.Useful++
			}
			if c.Contains(data, key) != may {
				t.Errorf("%s: another answer", f.Name())
			}
		}
		c.Contains(data[:1], present[0])
		if f.Contains(data[:1], present[0]) {
			want.Positives++
		} else {
			want.Useful++
		}
		if got := counters.Read(); got != want {
			t.Errorf("%s: %+v, want %+v", f.Name(), got, want)
		}
	}
}

func TestCountedByNobody(t *testing.T) {
	f := goleveldb.Counted(goleveldb.FastLocal(10), nil)
	var written util.Buffer
	generate(f.NewGenerator(), &written, presentKeys(numbers, 100))
	if !f.Contains(written.Bytes(), keys(numbers).present(0)) {
		t.Error("a false negative")
	}
}

// A store counts its lookups in tables of its own filter, then in those from before another.
func TestCountedInAStore(t *testing.T) {
	var counters filterblock.Counters
	files := storage.NewMemStorage()
	first, second := goleveldb.Counted(filter.NewBloomFilter(10), &counters), goleveldb.Counted(goleveldb.FastLocal(10), &counters)
	for _, o := range []*opt.Options{{Filter: first}, {Filter: second, AltFilters: goleveldb.AltFilters(second)}} {
		o.FilterBaseLg = baseLg
		db, err := leveldb.Open(files, o)
		check(t, err)
		if o.AltFilters == nil {
			fill(t, db, digests, 5000)
		}
		check(t, db.CompactRange(util.Range{}))
		before := counters.Read()
		for i := range 5000 {
			key := keys(digests).present(i)
			_, err := db.Get(key, nil)
			check(t, err)
			counters.Found(key)
		}
		if got := counters.Read().Sub(before); got.TruePositives != 5000 || got.Positives < 5000 {
			t.Errorf("present keys: %+v", got)
		}
		before = counters.Read()
		for i := range 5000 {
			if _, err := db.Get(keys(digests).absent(i), nil); !errors.Is(err, leveldb.ErrNotFound) {
				t.Error(err)
			}
		}
		if got := counters.Read().Sub(before); got.Queries() < 4900 || got.FPR() > 0.03 || got.FPR() == 0 {
			t.Errorf("absent keys: %+v", got)
		}
		check(t, db.Close())
	}
}

// The real false-positive rate of goleveldb's own filter. The store reports the keys that it
// finds.
func ExampleCounted() {
	var counters filterblock.Counters
	db, err := leveldb.Open(storage.NewMemStorage(), &opt.Options{
		Filter:       goleveldb.Counted(filter.NewBloomFilter(10), &counters),
		FilterBaseLg: 30,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for i := range 10_000 {
		if err := db.Put(fmt.Appendf(nil, "user:%05d", 2*i), []byte("value"), nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := db.CompactRange(util.Range{}); err != nil { // from memory to a table
		fmt.Println(err)
		return
	}

	for i := range 20_000 - 1 {
		key := fmt.Appendf(nil, "user:%05d", i)
		if _, err := db.Get(key, nil); err == nil {
			counters.Found(key)
		}
	}
	counts := counters.Read()
	fmt.Println(counts.Queries(), "lookups,", counts.TruePositives, "found,", counts.Useful, "saved a read")
	fmt.Printf("%d read in vain, %.1f %% of the absent keys\n", counts.FalsePositives(), 100*counts.FPR())
	// Output:
	// 19999 lookups, 10000 found, 9911 saved a read
	// 88 read in vain, 0.9 % of the absent keys
}
