package simdbloom_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

func TestUnionOfAdders(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		hashes := vectors.Hashes(3, 5000)
		a, b, both := k.of(t, 5000, 10), k.of(t, 5000, 10), k.of(t, 5000, 10)
		a.AddHashes(hashes[:3000])
		b.AddHashes(hashes[2000:])
		both.AddHashes(hashes)
		other := bytes.Clone(b.Bytes())
		if err := k.union(a, b); err != nil || !bytes.Equal(a.Bytes(), both.Bytes()) || !bytes.Equal(b.Bytes(), other) {
			t.Errorf("%v, or the union has other bytes, or the other filter has", err)
		}
		if err := k.union(a, a); err != nil || !bytes.Equal(a.Bytes(), both.Bytes()) {
			t.Errorf("with itself: %v, or other bytes", err)
		}
		larger, probes := k.of(t, 6000, 10), k.of(t, 2500, 20)
		hash, err := k.empty(5000, 10, keyhash.XXPH3)
		if err != nil {
			t.Fatal(err)
		}
		for says, other := range map[string]adder{
			fmt.Sprintf("filters of %d and %d bytes have no union", a.SizeBytes(), larger.SizeBytes()): larger,
			"filters of 6 and 11 probes have no union":                                                 probes,
			"key hashes XX64 and XXPH3 have no union":                                                  hash,
		} {
			if k.format.Format == simdbloom.SplitBlock && other == probes {
				continue // which all have as many
			}
			other.AddHash(1)
			if err := k.union(a, other); err == nil || !strings.Contains(err.Error(), says) || !bytes.Equal(a.Bytes(), both.Bytes()) {
				t.Errorf("%v, want %q, or the bytes changed", err, says)
			}
		}
	})
	for _, k := range kinds { // two Hashes of one name are not equal
		var twice [2]adder
		for i := range twice {
			g, err := k.empty(100, 10, keyhash.New("own", func(key []byte) uint64 { return uint64(len(key)) }))
			if err != nil {
				t.Fatal(err)
			}
			twice[i] = g
		}
		if err := k.union(twice[0], twice[1]); err == nil || !strings.Contains(err.Error(), "two key hashes named own") {
			t.Errorf("%s: %v", k.name, err)
		}
	}
	wide, narrow := simdbloom.WithSizeBytes(4096+5), simdbloom.WithSizeBytes(4096)
	fastLocal, err := bloom.NewMutable(2700, 12, keyhash.XX64, wide)
	splitBlock, err2 := splitblock.NewMutable(2700, 12, keyhash.XX64, narrow)
	if err != nil || err2 != nil || fastLocal.NumProbes() != splitBlock.NumProbes() {
		t.Fatal(err, err2, fastLocal.NumProbes())
	}
	if err := fastLocal.Union(splitBlock); err == nil || !strings.Contains(err.Error(), "of the formats FastLocal and SplitBlock") {
		t.Errorf("a union of two formats: %v", err)
	}
	if err := new(simdbloom.Mutable).Union(nil); err == nil {
		t.Error("no error for the union with nil")
	}
	if err := new(simdbloom.Concurrent).Union(nil); err == nil {
		t.Error("no error for the union with nil")
	}
}

// TestCopiesOfAdders changes a filter and its copies: none changes with another.
func TestCopiesOfAdders(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		hashes := vectors.Hashes(4, 300)
		g := k.of(t, 300, 10)
		g.AddHashes(hashes[:100])
		before := bytes.Clone(g.Bytes())
		clone, snapshot, own := k.clone(g), g.Snapshot(), g.Bytes()
		g.AddHashes(hashes[100:200])
		after := bytes.Clone(g.Bytes())
		if copied := bytes.Equal(own, before); copied != (k.name == "Concurrent") || !copied && !bytes.Equal(own, after) {
			t.Error("Bytes of a Concurrent are not a copy, or those of a Mutable are")
		}
		if !bytes.Equal(clone.Bytes(), before) || !bytes.Equal(snapshot.Bytes(), before) || bytes.Equal(after, before) {
			t.Error("a copy changes with the filter")
		}
		if clone.Capacity() != g.Capacity() || clone.Hash() != g.Hash() || clone.NumProbes() != g.NumProbes() {
			t.Error("the clone is another filter")
		}
		clone.AddHashes(hashes[100:200])
		if !bytes.Equal(clone.Bytes(), after) {
			t.Error("the clone takes keys in another way")
		}
		clone.Reset()
		if !bytes.Equal(g.Bytes(), after) || len(clone.AppendHits(nil, hashes)) != 0 || clone.EstimatedKeys() != 0 {
			t.Error("Reset leaves keys, or removes those of another filter")
		}
		if f := k.format.Opened(t, clone.Bytes()); f.Format() != k.format.Format || f.NumProbes() != g.NumProbes() {
			t.Error("Reset removes the trailer")
		}
	})
}

// TestEstimatesOfAdders adds more and more keys.
func TestEstimatesOfAdders(t *testing.T) {
	for _, k := range kinds {
		for _, n := range []int{40, 1000, 30_000} {
			for _, bpk := range []float64{1, 2, 6, 10, 23.4, 40} {
				g, done := k.of(t, n, bpk), 0
				if g.Capacity() < n || g.Capacity() > n+int(512/bpk) {
					t.Errorf("%s of %d keys at %v bits/key: its capacity is %d", k.name, n, bpk, g.Capacity())
				}
				hashes := vectors.Hashes(uint64(n), 4*g.Capacity())
				for _, percent := range []int{1, 10, 50, 90, 100, 150, 200, 400} {
					to := g.Capacity() * percent / 100
					g.AddHashes(hashes[done:to])
					done = to
					estimated := g.EstimatedKeys()
					if off := math.Abs(estimated - float64(to)); off > 3*math.Sqrt(float64(to))+0.5 && percent <= 200 {
						t.Errorf("%s, %v bits/key: %.0f keys estimated, %d were added", k.name, bpk, estimated, to)
					}
					if g.Full() != (percent > 100) && n > 40 {
						t.Errorf("%s, %v bits/key, %d %% of %d keys: Full is %v", k.name, bpk, percent, g.Capacity(), g.Full())
					}
					if n == 30_000 && bpk < 30 && math.Abs(g.PredictedFPR(to)/g.EstimatedFPR()-1) > 0.3 {
						t.Errorf("%s, %v bits/key, %d keys: rate %v predicted, %v estimated", k.name, bpk, to, g.PredictedFPR(to), g.EstimatedFPR())
					}
					if want := g.Snapshot().EstimatedFPR(); math.Abs(g.EstimatedFPR()-want) > 1e-9*want {
						t.Errorf("%s, %v bits/key: rate %v, the filter's is %v", k.name, bpk, g.EstimatedFPR(), want)
					}
				}
			}
		}
		g := k.of(t, 1000, 10)
		if g.PredictedFPR(0) != 0 || g.PredictedFPR(-1) != 0 || g.PredictedFPR(1000) != bloom.PredictedFPR(1000, 10) || g.PredictedFPR(math.MaxInt) != 1 {
			t.Errorf("%s: other rates predicted than for a builder's filter", k.name)
		}
		all, err := k.open(append(bytes.Repeat([]byte{0xff}, 640), 0xff, 0, 6, 0, 0), keyhash.XX64)
		if err != nil || !math.IsInf(all.EstimatedKeys(), 1) || all.EstimatedFPR() != 1 || !all.Full() {
			t.Errorf("%s with all bits set: %v", k.name, err)
		}
		// 5120 bits at 8.301 bits/key
		if all.Capacity() != 616 {
			t.Errorf("%s of stored bytes: its capacity is %d", k.name, all.Capacity())
		}
	}
}

func TestAddingAllocatesNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		g, keys, hashes := k.of(t, 10_000, 10), vectors.Keys("user8", 0, 3000), vectors.Hashes(1, 3000)
		key := "some key of a user"
		if allocs := testing.AllocsPerRun(10, func() {
			g.AddString(key)
			g.AddHash(hashes[0])
			g.AddHashIfAbsent(hashes[1])
			g.AddHashes(hashes[:3])
			g.AddHashes(hashes)
			g.AddKeys(keys[:3])
			g.AddKeys(keys)
			g.AddColumn(keyhash.Values(hashes))
			g.EstimatedKeys()
			g.EstimatedFPR()
			g.Full()
			g.Reset()
		}); allocs != 0 && !program.Raced { // pools drop memory with the race detector
			t.Errorf("%v allocations", allocs)
		}
	})
	m, err := bloom.NewMutable(100, 10, keyhash.XX64)
	c, err2 := bloom.NewConcurrent(100, 10, keyhash.XX64)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if allocs := testing.AllocsPerRun(10, func() {
		key := [16]byte{15: byte(m.NumProbes())} // stays on the stack
		m.Add(key[:])
		c.Add(key[:])
		if !m.Contains(key[:]) || !c.Contains(key[:]) || m.AddIfAbsent(key[:]) || c.AddIfAbsent(key[:]) {
			t.Error("a key is missing")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
