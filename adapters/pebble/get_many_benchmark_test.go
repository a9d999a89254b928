package pebble_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// BenchmarkGetMany measures lookups in stores in memory that differ in where tables are: all in L6, or overlapping ones
// in L0, above L6 or without it. A batch is one call of GetMany, or a call for each key:
//
//	go test -run '^$' -bench 'GetMany/L0=64' -benchtime 100ms
func BenchmarkGetMany(b *testing.B) {
	const keys = 100_000
	key := func(i int) []byte { return fmt.Appendf(nil, "key%012d", i) }
	for _, shape := range []struct {
		l0 int
		l6 bool
	}{{0, true}, {8, true}, {8, false}, {64, true}, {64, false}} {
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
					single := func(get func(key []byte) error) func() error {
						return func() error {
							for _, k := range next() {
								if err := get(k); err != nil && err != pebble.ErrNotFound {
									return err
								}
							}
							return nil
						}
					}
					for _, way := range []struct {
						name string
						do   func() error
					}{
						{"DB.Get", single(func(k []byte) error {
							_, closer, err := db.Get(k)
							if err == nil {
								err = closer.Close()
							}
							return err
						})},
						{"GetMany", func() error { return simdbloom.GetMany(db, next(), func(int, []byte) error { return nil }) }},
					} {
						b.Run(fmt.Sprintf("present=%d%%/batch=%d/%s", present, n, way.name), func(b *testing.B) {
							for range b.N {
								must(way.do())
							}
							b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/key")
						})
					}
				}
			}
		})
	}
}
