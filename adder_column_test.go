package simdbloom_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestAddColumnIfAbsent: values that repeat, some of them null, are as new as one by one.
func TestAddColumnIfAbsent(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		r := rand.New(rand.NewPCG(1, 2))
		column, oneByOne := k.of(t, 1000, 10), k.of(t, 1000, 10)
		for _, n := range []int{0, 1, 63, 64, 65, 200, 1023, 1024, 1025, 3000} {
			values, validity := make([]uint64, n), make([]byte, n/8+2)
			for i := range values {
				values[i] = r.Uint64N(2000)
			}
			for i := range validity {
				validity[i] = byte(r.Uint32() | r.Uint32())
			}
			words := (n + 63) / 64
			added := slices.Repeat([]uint64{^uint64(0)}, words+1)
			want := append(make([]uint64, words), ^uint64(0))
			for i, value := range values {
				if bit := i + 5; validity[bit/8]>>(bit%8)&1 != 0 && oneByOne.AddHashIfAbsent(keyhash.XX64.SumUint64(value)) {
					want[i/64] |= 1 << (i % 64)
				}
			}
			nullable := keyhash.Values(values).WithValidity(validity, 5)
			before := bytes.Clone(column.Bytes())
			if n > 0 && (contract.Panic(func() { column.AddColumnIfAbsent(nullable, added[:words-1]) }) == "" || !bytes.Equal(column.Bytes(), before)) {
				t.Errorf("%d values in %d words: no panic, or values were added", n, words-1)
			}
			column.AddColumnIfAbsent(nullable, added)
			if !slices.Equal(added, want) {
				t.Fatalf("%d values: %x are new, want %x", n, added, want)
			}
			if !bytes.Equal(column.Bytes(), oneByOne.Bytes()) {
				t.Fatalf("%d values: other bytes than one by one", n)
			}
		}
	})
}

// BenchmarkAddColumnIfAbsent adds values of which half are new to filters that have half of their keys, by one call and
// one by one, in turns. It reports medians in nanoseconds a value.
func BenchmarkAddColumnIfAbsent(b *testing.B) {
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		b.Run(fmt.Sprintf("%d KiB", size>>10), func(b *testing.B) {
			keys := size * 8 / 10
			m := contract.Must(simdbloom.NewMutable(simdbloom.FastLocal, keys, 10, keyhash.XX64))
			old := make([]uint64, keys/2)
			for i := range old {
				old[i] = rand.Uint64()
			}
			values := make([]uint64, min(len(old), 1<<18))
			added := make([]uint64, (len(values)+63)/64)
			var times [2][]float64
			for b.Loop() {
				for way, add := range []func(){
					func() {
						clear(added)
						for i, value := range values {
							if m.AddHashIfAbsent(keyhash.XX64.SumUint64(value)) {
								added[i/64] |= 1 << (i % 64)
							}
						}
					},
					func() { m.AddColumnIfAbsent(keyhash.Values(values), added) },
				} {
					m.Reset()
					m.AddColumn(keyhash.Values(old))
					for i := range values {
						if values[i] = rand.Uint64(); rand.IntN(2) == 0 {
							values[i] = old[rand.IntN(len(old))]
						}
					}
					begin := time.Now()
					add()
					times[way] = append(times[way], float64(time.Since(begin).Nanoseconds())/float64(len(values)))
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(measured.Median(times[0]), "ns/AddHashIfAbsent")
			b.ReportMetric(measured.Median(times[1]), "ns/AddColumnIfAbsent")
		})
	}
}
