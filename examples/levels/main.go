package main

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// level is one level of the tree: here a single table, of which only the filter exists.
type level struct {
	policy   *policy.Policy
	keys     int
	file     []byte // where the partitions are
	filter   *filterblock.Reader
	counters filterblock.Counters
}

func main() {
	tree := []*level{
		{policy: policy.FastLocal(16), keys: 10_000},
		{policy: policy.FastLocal(16), keys: 100_000},
		{policy: policy.Linear(9.7), keys: 1_000_000}, // the last level: nine tenths of the keys
	}
	predicted := 0.0
	for _, l := range tree {
		l.build()
		predicted += l.policy.PredictedFPR(l.keys)
	}
	lookups, reads := 200_000, 0
	for i := range lookups {
		for _, l := range tree { // from the newest to the oldest
			if l.filter.MayContain(key(5*i, "absent")) {
				reads++ // an engine reads a data block, and calls l.counters.Found if the key is there
			}
		}
	}
	for _, l := range tree {
		fmt.Printf("%s: 1 in %.0f absent keys is a false positive\n", l.policy, 1/l.counters.Read().FPR())
	}
	fmt.Printf("%.2f reads per 1000 absent keys, %.2f predicted\n", 1000*float64(reads)/float64(lookups), 1000*predicted)
}

func key(i int, suffix string) []byte { return fmt.Appendf(nil, "%07d/%s", i, suffix) }

func (l *level) build() {
	w := must(filterblock.NewWriter(l.policy, filterblock.Options{WholeKeys: true, PartitionBytes: 4096, Store: l.store}))
	for i := range l.keys {
		w.Add(key(i*(1_000_000/l.keys), "present"))
	}
	index := must(w.Finish())
	fmt.Printf("%s: %d bytes of partitions, %d of their index\n", l.policy, len(l.file), len(index))
	read := filterblock.ReadOptions{WholeKeys: true, Counters: &l.counters}
	l.filter = must(filterblock.OpenPartitioned(l.policy, index, l.load, read))
}

func (l *level) store(partition []byte) (filterblock.Handle, error) {
	h := filterblock.Handle{Offset: uint64(len(l.file)), Size: uint64(len(partition))}
	l.file = append(l.file, partition...) // an engine writes a checksum, too
	return h, nil
}

func (l *level) load(h filterblock.Handle) ([]byte, error) {
	if size := uint64(len(l.file)); h.Offset > size || h.Size > size-h.Offset {
		return nil, fmt.Errorf("no partition at %d", h.Offset)
	}
	return l.file[h.Offset : h.Offset+h.Size], nil
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
