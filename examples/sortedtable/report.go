package main

import (
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"

	"github.com/simdbloom/simdbloom/filterblock"
)

// report looks up keys in the table, and prints what had to be read for them.
func report(out io.Writer, file *os.File, prefix *filterblock.Extractor) error {
	counters := new(filterblock.Counters)
	o := filterblock.ReadOptions{Prefix: prefix, Cache: newCache(1 << 20), Counters: counters}
	t, err := reopen(file, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d data blocks in %d KB, a filter for 50000 keys and 1000 prefixes\n\n", t.index.Len(), t.blocks.end/1000)

	fmt.Fprintf(out, "%-42s %7s %11s %10s\n", "", "found", "data blocks", "partitions")
	for _, lookups := range []struct {
		what string
		run  func(*table) (found int, err error)
	}{
		{"10000 keys that are there", gets(0, 0)},
		{"10000 other keys of the same users", gets(0, 1)},
		{"10000 keys of other users", gets(1, 0)},
		{"1000 prefixes that are there", seeks(0)},
		{"1000 other prefixes", seeks(1)},
	} {
		if err := measure(out, t, lookups.what, lookups.run); err != nil {
			return err
		}
	}
	fmt.Fprintln(out)

	for _, bytes := range []int{1 << 15, 0} {
		o := filterblock.ReadOptions{Prefix: prefix, Counters: counters}
		what := "10000 other keys, without a cache"
		if bytes > 0 {
			o.Cache, what = newCache(bytes), fmt.Sprintf("10000 other keys, a cache of %d KiB", bytes>>10)
		}
		if t, err = reopen(file, o); err != nil {
			return err
		}
		if err := measure(out, t, what, gets(0, 1)); err != nil {
			return err
		}
	}
	if err := measure(out, t, "10000 other keys, without, one batch", batch); err != nil {
		return err
	}

	counts := counters.Read()
	fmt.Fprintf(out, "\nkeys:     %d lookups, %d saved by the filter, %d in vain: rate %.2f %%\n",
		counts.Queries(), counts.Useful, counts.FalsePositives(), 100*counts.FPR())
	fmt.Fprintf(out, "prefixes: %d lookups, %d saved by the filter, %d in vain: rate %.2f %%\n",
		counts.SeekFiltered+counts.SeekMatches, counts.SeekFiltered, counts.SeekMatches-counts.SeekTruePositives, 100*counts.SeekFPR())
	return nil
}

// reopen opens the file as if the program had just started.
func reopen(file *os.File, o filterblock.ReadOptions) (*table, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	t, err := openTable(file, info.Size(), o)
	if err != nil {
		return nil, fmt.Errorf("opening the table: %w", err)
	}
	return t, nil
}

// measure prints what lookups found and read.
func measure(out io.Writer, t *table, what string, lookups func(*table) (found int, err error)) error {
	data, partitions := t.dataReads.Load(), t.partitionReads.Load()
	found, err := lookups(t)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Fprintf(out, "%-42s %7d %11d %10d\n", what, found, t.dataReads.Load()-data, t.partitionReads.Load()-partitions)
	return nil
}

// keys yields 10,000 random keys, of every other user and every other order, from the given ones on.
func keys(user, order int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		random := rand.New(rand.NewPCG(uint64(user), uint64(order)))
		for range 10_000 {
			if !yield(key(user+2*random.IntN(users/2), order+2*random.IntN(orders))) {
				return
			}
		}
	}
}

func gets(user, order int) func(*table) (found int, err error) {
	return func(t *table) (found int, err error) {
		for key := range keys(user, order) {
			_, ok, err := t.get(key)
			if err != nil {
				return 0, err
			}
			if ok {
				found++
			}
		}
		return found, nil
	}
}

// seeks seeks the prefixes of every other user, and counts those that have rows.
func seeks(user int) func(*table) (found int, err error) {
	return func(t *table) (found int, err error) {
		for ; user < users; user += 2 {
			for _, err := range t.seek(key(user, 0)[:8]) {
				if err != nil {
					return 0, err
				}
				found++
				break // the first row will do
			}
		}
		return found, nil
	}
}

// batch looks up the keys of gets(0, 1) in one call.
func batch(t *table) (found int, err error) {
	var all [][]byte
	for key := range keys(0, 1) {
		all = append(all, key)
	}
	values := make([][]byte, len(all))
	if err := t.getMany(all, values); err != nil {
		return 0, err
	}
	for _, value := range values {
		if value != nil {
			found++
		}
	}
	return found, nil
}
