package simdbloom_test

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

const goroutines = 8

// together runs f in goroutines that begin at the same moment, and waits for them.
func together(f func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(goroutines)
	for i := range goroutines {
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Done()
			ready.Wait()
			f(i)
		}()
	}
	done.Wait()
}

func concurrent(t *testing.T, format simdbloom.Format, keys int, bitsPerKey float64) *simdbloom.Concurrent {
	t.Helper()
	c, err := simdbloom.NewConcurrent(format, keys, bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// eachLevel runs f for each format, with kernels and without.
func eachLevel(t *testing.T, f func(t *testing.T, format simdbloom.Format)) {
	for _, of := range contract.Adders() {
		format := of.Format
		t.Run(format.String()+", "+cpu.Current().String(), func(t *testing.T) { f(t, format) })
		if cpu.Current() != cpu.Generic {
			t.Run(format.String()+", generic", func(t *testing.T) {
				defer cpu.Limit(cpu.Generic)()
				f(t, format)
			})
		}
	}
}

// TestConcurrentFindsEveryKey has goroutines that add keys to few lines in all ways. Each
// finds its own keys at once, and all keys in the end.
func TestConcurrentFindsEveryKey(t *testing.T) {
	const each = 4000
	hashes := vectors.Hashes(50, goroutines*each)
	eachLevel(t, func(t *testing.T, format simdbloom.Format) {
		for _, keys := range []int{10, 1000, goroutines * each} {
			c := concurrent(t, format, keys, 10)
			together(func(i int) {
				own := hashes[i*each : (i+1)*each]
				for len(own) > 0 {
					some := own[:min(1+len(own)%100, len(own))]
					switch len(own) % 3 {
					case 0:
						c.AddHashes(some)
					case 1:
						for _, hash := range some {
							c.AddHash(hash)
						}
					default:
						for _, hash := range some {
							c.AddHashIfAbsent(hash)
						}
					}
					hits := make([]bool, len(some))
					if c.ContainsHashes(some, hits); slices.Contains(hits, false) || !c.ContainsHash(some[0]) {
						t.Errorf("%d keys: a key of goroutine %d is missing right after it was added", keys, i)
						return
					}
					own = own[len(some):]
				}
			})
			want, err := simdbloom.NewMutable(format, keys, 10, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			if want.AddHashes(hashes); !bytes.Equal(c.Bytes(), want.Bytes()) {
				t.Errorf("%d keys: other bytes than of keys added one by one", keys)
			}
			if n := len(c.AppendHits(nil, hashes)); n != len(hashes) {
				t.Errorf("%d keys: %d of %d found in the end", keys, n, len(hashes))
			}
		}
	})
}

// TestConcurrentAddIfAbsentRaces has all goroutines add the same keys: of each key that is
// new, at least one is told so.
func TestConcurrentAddIfAbsentRaces(t *testing.T) {
	const keys = 3000
	hashes := vectors.Hashes(51, keys)
	eachLevel(t, func(t *testing.T, format simdbloom.Format) {
		c := concurrent(t, format, keys, 60) // hardly any false positives
		known := hashes[:keys/10]
		c.AddHashes(known)
		var first [keys]atomic.Int32
		together(func(int) {
			for i, hash := range hashes {
				if c.AddHashIfAbsent(hash) {
					first[i].Add(1)
				}
			}
		})
		for i := range first {
			if n := first[i].Load(); (n > 0) != (i >= len(known)) {
				t.Errorf("%d goroutines were told that key %d is new", n, i)
			}
		}
		if f := c.Snapshot(); len(f.AppendHits(nil, hashes)) != keys {
			t.Error("a key is missing")
		}
	})
}

// TestConcurrentDoesEverythingAtOnce is for the race detector, with and without kernels.
func TestConcurrentDoesEverythingAtOnce(t *testing.T) {
	keys, hashes := vectors.Keys("user8", 0, 700), vectors.Hashes(52, 700)
	eachLevel(t, func(t *testing.T, format simdbloom.Format) {
		c, other := concurrent(t, format, 2000, 10), concurrent(t, format, 2000, 10)
		c.AddHashes(hashes)
		together(func(i int) {
			hits, bits := make([]bool, len(keys)), make([]uint64, 11)
			for round := range 3 {
				c.AddKeys(keys[i*50:])
				c.AddString("key")
				c.AddIfAbsent(keys[i])
				c.AddStringIfAbsent("key")
				other.AddHashes(hashes[:300*(round+1)%len(hashes)])
				for n := range 20 {
					c.ContainsHashes(hashes[:n], hits)
					c.ContainsHashBits(hashes[:n], bits)
					c.ContainsKeys(keys[:n], hits)
				}
				c.ContainsHashes(hashes, hits)
				if slices.Contains(hits, false) || !c.Contains(keys[i*50]) || !c.ContainsString("key") {
					t.Error("a key is missing")
				}
				c.ContainsKeys(keys, hits)
				if slices.Contains(hits[i*50:], false) || !c.Clone().Contains(keys[i*50]) || !c.Snapshot().Contains(keys[i*50]) {
					t.Error("a key is missing")
				}
				if err := c.Union(other); err != nil || c.Union(c) != nil {
					t.Error(err)
				}
				if c.EstimatedKeys() < 500 || c.EstimatedFPR() <= 0 || c.Full() || len(c.Bytes()) != c.SizeBytes() {
					t.Error("wrong estimates")
				}
				if i == 0 {
					other.Reset()
				}
				c.AppendHits(nil, hashes)
			}
		})
	})
}
