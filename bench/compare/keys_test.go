package main

import (
	"testing"

	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

func TestQueriesAreAsPresentAsTheySay(t *testing.T) {
	for _, keyBytes := range []int{0, 8, 16, 29} {
		testPresence(t, newFilling(4096, 10, keyBytes))
	}
}

func testPresence(t *testing.T, fill filling) {
	member := make(map[uint64]bool)
	for hashes := range fill.hashes(3, func(int) {}) {
		for _, hash := range hashes {
			member[hash] = true
		}
	}
	if uint64(len(member)) != fill.keys {
		t.Fatalf("%d different hashes of %d keys", len(member), fill.keys)
	}
	keys := newKeySource(3, fill.keys)
	absent := make(map[uint64]bool)
	for _, share := range []float64{0, 0.5, 1, 0.1} {
		q := newQueries(10_000, 0, fill.keyBytes)
		keys.fill(q, share)
		present := 0
		for i, hash := range q.hashes {
			if fill.keyBytes == 0 && q.keys != nil || fill.keyBytes > 0 && (len(q.keys[i]) != fill.keyBytes ||
				keyhash.XX64.Sum64(q.keys[i]) != hash || xxhash.Sum64(q.keys[i]) != hash) {
				t.Fatalf("hash %#x is of another key, of %d bytes", hash, fill.keyBytes)
			}
			if member[hash] {
				present++
			} else if absent[hash] {
				t.Errorf("hash %#x is queried twice", hash)
			} else {
				absent[hash] = true
			}
		}
		if got := float64(present) / 10_000; present != q.present || got < share-0.02 || got > share+0.02 {
			t.Errorf("%d present, %d said, share %v", present, q.present, share)
		}
	}
}

func TestFillingSaysHowFarItIs(t *testing.T) {
	for _, n := range []uint64{1, 4095, 4096, 4097, 10_000} {
		done, got := 0, 0
		for hashes := range (filling{keys: n}).hashes(0, func(keys int) { done += keys }) {
			got += len(hashes)
		}
		if uint64(done) != n || uint64(got) != n {
			t.Errorf("%d hashes of %d, %d done", got, n, done)
		}
	}
}

func TestRoomForAnswers(t *testing.T) {
	for n := 1; n < 300; n += 7 {
		for _, batch := range []int{0, 1, 8, 63, 64, 65, 128, 1000} {
			q := newQueries(n, batch, 0)
			words := 0
			for from := 0; from < n; from += q.batch {
				words += asm.Words(min(q.batch, n-from))
			}
			if len(q.words) < words || len(q.bools) != n || q.batch < 1 {
				t.Errorf("%d queries in batches of %d: %d words, %d of them needed", n, batch, len(q.words), words)
			}
		}
	}
}
