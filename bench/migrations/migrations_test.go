package main

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
)

func TestPage(t *testing.T) { committed.Pages(t, "../..", "migrations.json", files) }

// TestLimiter: the first hashes of an interval are let in, again and again, and no others. Goroutines that add the same
// hash at once may count it twice.
func TestLimiter(t *testing.T) {
	const items, adders = 4000, 4
	l := NewLimiter(items, time.Hour)
	defer l.MustStop()
	var goroutines sync.WaitGroup
	var refused atomic.Int64
	for range adders {
		goroutines.Go(func() {
			for h := range uint64(items / adders) {
				if !l.Add(h * 0x9e3779b97f4a7c15) {
					refused.Add(1)
				}
			}
		})
	}
	goroutines.Wait()
	if n := l.CurrentItems(); refused.Load() > 0 || n < items/adders*99/100 || n > items {
		t.Errorf("%d are refused, and %d counted", refused.Load(), n)
	}
	for l.CurrentItems() < l.MaxItems() {
		l.Add(rand.Uint64())
	}
	others := 0
	for range 1000 {
		if l.Add(rand.Uint64()) {
			others++
		}
	}
	if others > 50 || !l.Add(0) {
		t.Errorf("%d of 1,000 others are let in, and the first hash: %v", others, l.Add(0))
	}
}

func TestLimiterForgets(t *testing.T) {
	l := NewLimiter(1, time.Millisecond)
	defer l.MustStop()
	for l.Add(1); !l.Add(2); { // until the next interval
		time.Sleep(time.Millisecond)
	}
}

func TestStateBloom(t *testing.T) {
	const keys = 100_000
	s, err := NewStateBloom(keys, 1)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{1})
	nodes := make([][]byte, 2*keys)
	for i := range nodes {
		nodes[i] = make([]byte, 32)
		random.Read(nodes[i])
	}
	for _, node := range nodes[:keys] {
		s.Put(node)
	}
	name := filepath.Join(t.TempDir(), "bloom")
	if err := s.Commit(name); err != nil {
		t.Fatal(err)
	}
	opened, err := OpenStateBloom(name)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	others := 0
	for i, node := range nodes {
		has := s.Contain(node)
		if again := opened.ContainsHash(stateBloomHash(node)); again != has || i < keys && !has {
			t.Fatalf("node %d is there: %v, and in the file: %v", i, has, again)
		}
		if i >= keys && has {
			others++
		}
	}
	if others > keys/500 { // 80 bits a key
		t.Errorf("%d of %d other nodes", others, keys)
	}
}

func TestIndex(t *testing.T) {
	hashes := make([]uint64, 10_000)
	for i := range hashes {
		hashes[i] = rand.Uint64()
	}
	for _, contents := range []string{"", "contents", string(make([]byte, 640))} {
		data, err := AppendIndex(nil, []byte(contents), hashes)
		if err != nil {
			t.Fatal(err)
		}
		f, err := OpenIndex(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hashes {
			if !f.ContainsHash(h) {
				t.Fatalf("hash %d is lost behind %d bytes", h, len(contents))
			}
		}
		if !bytes.HasPrefix(data, []byte(contents)) {
			t.Errorf("the index does not begin with its contents")
		}
		for n := range 40 { // cut short, the numbers are others
			if f, err := OpenIndex(data[:n]); err == nil && f.SizeBytes() > n {
				t.Errorf("%d bytes have a filter of %d", n, f.SizeBytes())
			}
		}
	}
}

func TestArchive(t *testing.T) {
	var a Archive
	segments := accountsOf(3, 100)
	for _, blocks := range segments {
		if err := a.Add(blocks); err != nil {
			t.Fatal(err)
		}
	}
	wrong := 0
	const looked = accounts / 50
	for i := range looked {
		var found [3][]int
		for _, f := range a.Select(account(i)) {
			found[f.Segment] = f.Blocks
		}
		for s, blocks := range segments {
			for n, in := range blocks {
				if is := slices.Contains(found[s], n); is != slices.Contains(in, account(i)) {
					if wrong++; !is {
						t.Fatalf("%s is not found in block %d of segment %d", account(i), n, s)
					}
				}
			}
		}
	}
	if wrong > looked*300/500 || a.SizeBytes() == 0 {
		t.Errorf("%d of %d blocks are wrong, %d bytes", wrong, looked*300, a.SizeBytes())
	}
}
