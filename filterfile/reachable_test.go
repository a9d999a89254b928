package filterfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestLookupsKeepTheFileMapped: nothing but the lookup itself refers to the filter of a mapped file, and the garbage
// collector runs all the time. The file stays mapped until the lookup ends. Where Go code reads bytes after its last
// use of the filter, this finds a fault.
func TestLookupsKeepTheFileMapped(t *testing.T) {
	if runtime.GOOS != "linux" || program.Raced || testing.Short() {
		t.Skip("this needs /proc, and time")
	}
	const n = 300_000
	hashes, hits, words := vectors.Hashes(3, n), make([]bool, n), make([]uint64, n/64+1)
	keys, indexes, selected := make([][]byte, n/4), make([]int, 0, n), make([]int32, 0, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%d", hashes[i])
	}
	lookups := map[string]func(f *simdbloom.Filter){
		"ContainsHashes":   func(f *simdbloom.Filter) { f.ContainsHashes(hashes, hits) },
		"ContainsHashBits": func(f *simdbloom.Filter) { f.ContainsHashBits(hashes, words) },
		"ContainsKeys":     func(f *simdbloom.Filter) { f.ContainsKeys(keys, hits) },
		"ContainsUint64s":  func(f *simdbloom.Filter) { f.ContainsUint64s(hashes, hits) },
		"AppendHits":       func(f *simdbloom.Filter) { f.AppendHits(indexes, hashes) },
		"AppendColumnHits": func(f *simdbloom.Filter) { f.AppendColumnHits(selected, keyhash.Values(hashes)) },
		"EstimatedFPR":     func(f *simdbloom.Filter) { f.EstimatedFPR() },
		"CopyAligned":      func(f *simdbloom.Filter) { f.CopyAligned() },
		"MarshalBinary":    func(f *simdbloom.Filter) { f.MarshalBinary() },
		"Lookup": func(f *simdbloom.Filter) {
			has := f.Lookup()
			for i, hash := range hashes {
				hits[i] = has(hash)
			}
		},
		"Candidates": func(f *simdbloom.Filter) {
			wanted := make([]uint64, len(words))
			for i := range wanted {
				wanted[i] = ^uint64(0)
			}
			for range simdbloom.Candidates([]*simdbloom.Filter{f}, hashes, wanted) {
			}
		},
	}
	var stop atomic.Bool
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for !stop.Load() {
			runtime.GC()
		}
	}()
	defer func() { stop.Store(true); <-collected }()
	folder := t.TempDir()
	for i, s := range sources(t, 70_000) {
		if len(s.filter.Bytes()) < 10_000 || s.options() != nil {
			continue
		}
		path := filepath.Join(folder, fmt.Sprint(i))
		if err := filterfile.WriteFile(path, s.filter); err != nil {
			t.Fatal(err)
		}
		for _, level := range []cpu.Level{cpu.Generic, cpu.Machine()} {
			restore := cpu.Limit(level)
			for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
				for name, look := range lookups {
					if err := lookUnreachable(path, options, look); err != nil {
						t.Errorf("%s, %s, %v: %v", s.name, name, level, err)
					}
				}
			}
			restore()
		}
		os.Remove(path)
	}
}

// lookUnreachable returns the fault of a lookup in a filter that only the lookup itself can reach.
func lookUnreachable(path string, options []filterfile.OpenOption, look func(f *simdbloom.Filter)) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	f, err := filterfile.Open(path, options...)
	if err == nil {
		look(f.Filter)
	}
	return err
}
