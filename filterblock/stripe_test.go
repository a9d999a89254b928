package filterblock

import (
	"sync"
	"testing"
)

// Stacks of goroutines lie at regular distances: of any 64 in a row, few share a stripe.
func TestStacksOfAnyDistanceAreSpread(t *testing.T) {
	for distance := uintptr(2 << 10); distance <= 1<<20; distance *= 2 {
		for start := uintptr(0xc000_0000); start < 0xd000_0000; start += 0x123_4800 {
			var in [numStripes]int
			most := 0
			for i := range uintptr(numStripes) {
				s := stripeOf(start + i*distance)
				in[s]++
				most = max(most, in[s])
			}
			if most > 5 {
				t.Fatalf("%d of 64 stacks at distance %d are in one stripe", most, distance)
			}
		}
	}
}

func TestGoroutinesAreInMostStripes(t *testing.T) {
	var mu sync.Mutex
	var counted, wait sync.WaitGroup
	all := make(chan struct{})
	in := make(map[uint]int)
	for range 512 {
		counted.Add(1)
		wait.Add(1)
		go func() {
			defer wait.Done()
			s := hereStripe()
			mu.Lock()
			in[s]++
			mu.Unlock()
			counted.Done()
			<-all // keeps its stack
		}()
	}
	counted.Wait()
	close(all)
	wait.Wait()
	most := 0
	for s, n := range in {
		if s >= numStripes {
			t.Errorf("stripe %d", s)
		}
		most = max(most, n)
	}
	if len(in) < 48 || most > 32 {
		t.Errorf("512 goroutines are in %d stripes, and %d of them in one", len(in), most)
	}
}
