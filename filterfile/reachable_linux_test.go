package filterfile_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"weak"

	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestLookupsKeepTheFileMapped: nothing but the lookup itself refers to the filter of a mapped file, and the garbage
// collector runs while the lookup reads the file, which stays mapped. Assembly needs nothing: it is not preempted.
func TestLookupsKeepTheFileMapped(t *testing.T) {
	const n = 100
	hashes, values := vectors.Hashes(3, n), keyhash.Values(vectors.Hashes(3, n))
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%d", hashes[i])
	}
	lookups := map[string]func(f *simdbloom.Filter){
		"Contains":         func(f *simdbloom.Filter) { f.Contains(keys[0]) },
		"ContainsHash":     func(f *simdbloom.Filter) { f.ContainsHash(hashes[0]) },
		"ContainsHashes":   func(f *simdbloom.Filter) { f.ContainsHashes(hashes, make([]bool, n)) },
		"ContainsHashBits": func(f *simdbloom.Filter) { f.ContainsHashBits(hashes, make([]uint64, 2)) },
		"ContainsKeys":     func(f *simdbloom.Filter) { f.ContainsKeys(keys, make([]bool, n)) },
		"ContainsUint64s":  func(f *simdbloom.Filter) { f.ContainsUint64s(hashes, make([]bool, n)) },
		"AppendHits":       func(f *simdbloom.Filter) { f.AppendHits(nil, hashes) },
		"AppendColumnHits": func(f *simdbloom.Filter) { f.AppendColumnHits(nil, values) },
		"EstimatedFPR":     func(f *simdbloom.Filter) { f.EstimatedFPR() },
		"CopyAligned":      func(f *simdbloom.Filter) { f.CopyAligned() },
		"MarshalBinary":    func(f *simdbloom.Filter) { f.MarshalBinary() },
		"Name":             func(f *simdbloom.Filter) { f.Name() },
		"Lookup":           func(f *simdbloom.Filter) { f.Lookup()(hashes[0]) },
		"AppendFilters":    func(f *simdbloom.Filter) { simdbloom.AppendFilters(nil, []*simdbloom.Filter{f}, hashes[0]) },
		"Candidates": func(f *simdbloom.Filter) {
			for range simdbloom.Candidates([]*simdbloom.Filter{f}, hashes, []uint64{^uint64(0), ^uint64(0)}) {
			}
		},
	}
	defer cpu.Limit(cpu.Generic)()
	path := filepath.Join(t.TempDir(), "file")
	for _, of := range contract.Formats() {
		b := must(of.NewBuilder(10, of.Hash, of.Options...))
		b.AddHashes(vectors.Hashes(1, 10_000))
		if err := filterfile.WriteFile(path, must(b.Filter()), filterfile.WithPieceBytes(4096)); err != nil {
			t.Fatal(err)
		}
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			var reading, ended sync.WaitGroup
			collected := make(chan struct{})
			for name, look := range lookups {
				reading.Add(1)
				ended.Add(1)
				go func() {
					defer ended.Done()
					f, mapping := openUnreadable(path, options)
					reads, kept := lookUnreachable(f, mapping, look, func() {
						reading.Done()
						<-collected
					})
					if !reads && name != "Name" && name != "EstimatedFPR" {
						t.Errorf("%s, %s, %d options: reads nothing", of.Name, name, len(options))
					} else if reads && !kept {
						t.Errorf("%s, %s, %d options: the file is unmapped while it is read", of.Name, name, len(options))
					}
				}()
			}
			reading.Wait()
			runtime.GC()
			close(collected)
			ended.Wait()
		}
	}
}

// lookUnreachable looks up in a filter that only the lookup itself can reach, and whose pages cannot be read. At the
// first fault, when the lookup's functions are on the stack, or else at its end, it calls wait.
func lookUnreachable(f *simdbloom.Filter, mapping weak.Pointer[mmap.Mapping], look func(f *simdbloom.Filter), wait func()) (reads, kept bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		reads = recover() != nil
		wait()
		kept = mapping.Value() != nil
	}()
	look(f)
	return
}

// openUnreadable opens a file and makes its pages unreadable.
func openUnreadable(path string, options []filterfile.OpenOption) (*simdbloom.Filter, weak.Pointer[mmap.Mapping]) {
	f := must(filterfile.Open(path, options...))
	mapping := must(checked.FileOf(f.Filter)).Mapping
	if err := unix.Mprotect(mapping.Bytes(), unix.PROT_NONE); err != nil {
		panic(err)
	}
	return f.Filter, weak.Make(mapping)
}
