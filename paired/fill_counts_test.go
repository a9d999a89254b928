package paired

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestFillsShareNoCounts has builders take turns on one of the runtime's processors,
// where a pool would give one the counts of another that it had too early.
func TestFillsShareNoCounts(t *testing.T) {
	const builders, rounds = 3, 6
	n, options := 1_500_000, []simdbloom.Option(nil)
	if asm.Level() == cpu.Generic || emulated {
		n, options = 100_000, []simdbloom.Option{building.WithListsFrom(32 << 10)}
	}
	var hashes [builders][]uint64
	var want [builders][]byte
	build := func(i int) []byte {
		b, err := NewBuilder(23.4, keyhash.XX64, options...)
		if err != nil {
			t.Fatal(err)
		}
		b.AddHashes(hashes[i])
		data, err := b.Finish()
		if err != nil {
			t.Error(err)
		}
		return data
	}
	for i := range builders {
		hashes[i] = vectors.Hashes(uint64(70+i), n)
		want[i] = build(i)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var running sync.WaitGroup
	for i := range builders {
		running.Add(1)
		go func() {
			defer running.Done()
			for range rounds {
				if !bytes.Equal(build(i), want[i]) {
					t.Errorf("builder %d: other bytes beside others", i)
					return
				}
			}
		}()
	}
	running.Wait()
}
