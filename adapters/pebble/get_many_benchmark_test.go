package pebble_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// BenchmarkGetMany measures lookups in stores in memory that differ in where tables are: all in L6, or overlapping ones
// in L0, above L6 or without it. A batch is a call of GetMany, or one of DB.Get for each key, in turns. It reports
// medians a key, and their ratio:
//
//	go test -run '^$' -bench 'GetMany/L0=64' -benchtime 50x
func BenchmarkGetMany(b *testing.B) {
	const keys = 100_000
	key := func(i int) []byte { return fmt.Appendf(nil, "key%012d", i) }
	for _, shape := range []struct {
		l0 int
		l6 bool
	}{{0, true}, {2, true}, {8, true}, {8, false}, {64, true}, {64, false}} {
		b.Run(fmt.Sprintf("L0=%d/L6=%v", shape.l0, shape.l6), func(b *testing.B) {
			o := &pebble.Options{FS: vfs.NewMem(), Logger: silent{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 256 << 20, DisableAutomaticCompactions: true, L0StopWritesThreshold: 1000}
			for i := range o.Levels {
				o.Levels[i].FilterPolicy = simdbloom.FastLocal(10)
			}
			db, err := pebble.Open("", o)
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			must := func(err error) {
				if err != nil {
					b.Fatal(err)
				}
			}
			write := func(first, step int) {
				batch := db.NewBatch()
				for i := first; i < keys; i += step {
					must(batch.Set(key(2*i), make([]byte, 100), nil))
				}
				must(db.Apply(batch, pebble.NoSync))
				must(db.Flush())
			}
			if shape.l6 {
				write(0, 1)
				must(db.Compact(b.Context(), key(0), key(2*keys), false))
			}
			for table := range shape.l0 {
				write(table, shape.l0)
			}
			for _, present := range []int{0, 50, 100} {
				r := rand.New(rand.NewPCG(1, uint64(present)))
				lookups := make([][]byte, 64<<10)
				for j := range lookups {
					i := 2 * r.IntN(keys)
					if r.IntN(100) >= present {
						i++
					}
					lookups[j] = key(i)
				}
				for _, n := range []int{8, 64, 1024} {
					at := 0
					next := func() [][]byte {
						if at += n; at > len(lookups) {
							at = n
						}
						return lookups[at-n : at]
					}
					one := func() {
						for _, k := range next() {
							_, closer, err := db.Get(k)
							if err == nil {
								err = closer.Close()
							}
							if err != pebble.ErrNotFound {
								must(err)
							}
						}
					}
					many := func() {
						must(simdbloom.GetMany(db, next(), func(int, []byte) error { return nil }))
					}
					b.Run(fmt.Sprintf("present=%d%%/batch=%d", present, n), func(b *testing.B) {
						var times [2][]float64
						for b.Loop() {
							for way, do := range []func(){one, many} {
								calls := (4096 + n - 1) / n
								begin := time.Now()
								for range calls {
									do()
								}
								times[way] = append(times[way], float64(time.Since(begin).Nanoseconds())/float64(calls*n))
							}
						}
						was, is := measured.Median(times[0]), measured.Median(times[1])
						b.ReportMetric(0, "ns/op")
						b.ReportMetric(was, "ns/DB.Get")
						b.ReportMetric(is, "ns/GetMany")
						b.ReportMetric(is/was, "ratio")
					})
				}
			}
		})
	}
}
