package differential

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/parallel"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

var (
	lookups = flag.Int("lookups", 2_000_000, "the least `number` of lookups for each format; with -short, an eighth")
	seed    = flag.Uint64("seed", rand.Uint64(), "the `seed` of filters and hashes")
)

// A subject is a format in its variants.
type subject struct {
	share   int // naive looks up one hash of this number
	probes  int // where the number of probes is, from the end if it is negative, or 0 if randomize leaves it alone
	formats []contract.Format
}

var subjects = func() (all []subject) {
	shares := map[simdbloom.Format]int{simdbloom.Linear: 16, simdbloom.Ribbon: 256}
	probes := map[simdbloom.Format]int{simdbloom.FastLocal: -3, simdbloom.Paired: -3, simdbloom.Legacy: -5, simdbloom.LevelDB: -1, simdbloom.Blobloom: 16}
	for _, f := range contract.Formats() {
		if n := len(all); n > 0 && all[n-1].formats[0].Format == f.Format {
			all[n-1].formats = append(all[n-1].formats, f)
		} else {
			all = append(all, subject{max(shares[f.Format], 1), probes[f.Format], []contract.Format{f}})
		}
	}
	return all
}()

const hashesOfFilter = 1 << 16

var levels = slices.DeleteFunc([]cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON}, func(l cpu.Level) bool {
	return !cpu.Current().Includes(l)
})

var levelMutex sync.Mutex

// at calls f at a level. A Filter keeps the level that it was opened at.
func at(level cpu.Level, f func()) {
	levelMutex.Lock()
	defer levelMutex.Unlock()
	defer cpu.Limit(level)()
	f()
}

func TestDifferential(t *testing.T) {
	fmt.Printf("-seed=%d\n", *seed) // where there is a panic, t.Log's lines are missing
	wanted := *lookups
	if testing.Short() {
		wanted /= 8
	}
	for number, s := range subjects {
		t.Run(s.formats[0].Format.String(), func(t *testing.T) {
			least := hashesOfFilter*(5*len(levels)-1) + hashesOfFilter/s.share // in a filter, in five ways at each level
			var filters, compared, absent, positives atomic.Int64
			began, tick := time.Now(), time.Tick(10*time.Second)
			report := func() {
				t.Logf("-seed=%d, %v: %d lookups in %d filters, %d false positives of %d absent hashes, %.0f s", *seed, levels,
					compared.Load(), filters.Load(), positives.Load(), absent.Load(), time.Since(began).Seconds())
			}
			parallel.Each(runtime.GOMAXPROCS(0), (wanted+least-1)/least, func(_, i int) {
				if t.Failed() {
					return
				}
				r := round{subject: s, t: t, Rand: rand.New(rand.NewPCG(*seed, uint64(number)<<32+uint64(i)))}
				r.name = fmt.Sprintf("-seed=%d, filter %d", *seed, i)
				r.run()
				filters.Add(1)
				compared.Add(r.compared)
				absent.Add(r.absent)
				positives.Add(r.positives)
				select {
				case <-tick:
					report()
				default:
				}
			})
			report()
		})
	}
}

// A round is a filter with the hashes that are looked up in it.
type round struct {
	subject
	*rand.Rand
	t    *testing.T
	name string // what it takes to repeat it

	format                      contract.Format
	data                        []byte
	added                       []uint64
	addedKeys                   [][]byte // that have these hashes, in some rounds
	hashes                      []uint64
	keys                        [][]byte // likewise
	stream                      uint64   // of random hashes
	ends                        []int    // of batches
	want, got                   []bool
	compared, absent, positives int64
}

func (r *round) run() {
	r.makeFilter()
	r.makeHashes()
	var words [hashesOfFilter / 64]uint64
	var indexes []int
	for _, level := range levels {
		var f *simdbloom.Filter
		at(level, func() { f = contract.Must(r.format.Open(r.data, r.format.Hash)) })
		if level == cpu.Generic {
			r.answer(f)
			r.compared -= int64(hashesOfFilter - hashesOfFilter/r.share)
		}
		r.compare(level, "ContainsHash", func(from, to int) {
			for i := from; i < to; i++ {
				r.got[i] = f.ContainsHash(r.hashes[i])
			}
		})
		r.compare(level, "Lookup", func(from, to int) { // at one place, where it can be inlined
			has := f.Lookup()
			for i := from; i < to; i++ {
				r.got[i] = has(r.hashes[i])
			}
		})
		r.compare(level, "ContainsHashes", func(from, to int) { f.ContainsHashes(r.hashes[from:to], r.got[from:to]) })
		r.compare(level, "ContainsHashBits", func(from, to int) {
			f.ContainsHashBits(r.hashes[from:to], words[:])
			for i := range to - from {
				r.got[from+i] = words[i/64]>>(i%64)&1 != 0
			}
		})
		r.compare(level, "AppendHits", func(from, to int) {
			clear(r.got[from:to])
			indexes = f.AppendHits(indexes[:0], r.hashes[from:to])
			for _, i := range indexes {
				r.got[from+i] = true
			}
		})
		r.compareAppendFilters(level, f)
		if hits := f.AppendHits(nil, r.added); len(hits) != len(r.added) {
			r.t.Errorf("%s: %v: %d hashes were added, %d are found", r.name, level, len(r.added), len(hits))
		}
		if r.keys != nil {
			at(level, func() { // which hashes the keys
				r.compare(level, "ContainsKeys", func(from, to int) { f.ContainsKeys(r.keys[from:to], r.got[from:to]) })
				r.compare(level, "Contains", func(from, to int) {
					for i := from; i < to; i++ {
						r.got[i] = f.Contains(r.keys[i])
					}
				})
				r.compare(level, "LookupUint64", func(from, to int) { // of those of 8 bytes
					has := f.LookupUint64()
					for i := from; i < to; i++ {
						if r.got[i] = r.want[i]; len(r.keys[i]) == 8 {
							r.got[i] = has(binary.LittleEndian.Uint64(r.keys[i]))
						}
					}
				})
			})
		}
	}
}

// compare looks all hashes up in batches.
func (r *round) compare(level cpu.Level, way string, look func(from, to int)) {
	for i, want := range r.want {
		r.got[i] = !want
	}
	from := 0
	for _, end := range r.ends {
		look(from, end)
		from = end
	}
	r.compared += hashesOfFilter
	if bytes.Equal(testmem.Bytes(r.got), testmem.Bytes(r.want)) {
		return
	}
	i := 0
	for r.got[i] == r.want[i] {
		i++
	}
	batch, _ := slices.BinarySearch(r.ends, i+1)
	r.t.Errorf("%s: %v, %s, hash %d of the batch up to %d, %#x: not %v", r.name, level, way, i, r.ends[batch], r.hashes[i], r.want[i])
}

// compareAppendFilters looks up one hash in 64 in up to 80 filters, of which about half are this one and the others
// empty.
func (r *round) compareAppendFilters(level cpu.Level, f *simdbloom.Filter) {
	empty := contract.Must(simdbloom.Open(simdbloom.FastLocal, nil, r.format.Hash))
	filters := []*simdbloom.Filter{f}
	places := []int{0}
	for i := 1 + r.IntN(80); len(filters) < i; {
		if r.IntN(2) == 0 {
			filters = append(filters, empty)
			continue
		}
		places, filters = append(places, len(filters)), append(filters, f)
	}
	var found []int
	for i := r.IntN(64); i < hashesOfFilter; i += 64 {
		found = simdbloom.AppendFilters(found[:0], filters, r.hashes[i])
		if r.compared++; len(found) > 0 != r.want[i] || r.want[i] && !slices.Equal(found, places) {
			r.t.Errorf("%s: %v, AppendFilters, %#x: in %d of the filters %d: not %v", r.name, level, r.hashes[i], found, places, r.want[i])
			return
		}
	}
}

// answer finds the right answers.
func (r *round) answer(pureGo *simdbloom.Filter) {
	contains := r.format.Naive(r.data)
	for i, hash := range r.hashes {
		if i%r.share == 0 {
			r.want[i] = contains(hash)
		} else {
			r.want[i] = pureGo.ContainsHash(hash)
		}
		if r.added != nil && hash == splitmix.Value(r.stream, uint64(i)) {
			r.absent++
			if r.want[i] {
				r.positives++
			}
		}
	}
}

// makeFilter builds a filter of random settings. Some get random bytes instead, up to 64 MiB.
func (r *round) makeFilter() {
	f := r.formats[r.IntN(len(r.formats))]
	r.format = f.With(f.KeyHashes[r.IntN(len(f.KeyHashes))])
	bitsPerKey, n := 5+20*r.Float64(), int(math.Exp2(18*r.Float64()))
	if r.IntN(4) == 0 {
		bitsPerKey = math.Exp2(8*r.Float64() - 1)
	}
	if r.IntN(500) == 0 {
		n *= 16
	}
	level, goroutines, offset := levels[r.IntN(len(levels))], 1+r.IntN(3), r.IntN(64)*r.IntN(2)
	r.name += fmt.Sprintf(": %s, %s, %v bits per key, %d keys, built at %v by %d goroutines, %d bytes behind a multiple of 64",
		f.Name, r.format.Hash.Name(), bitsPerKey, n, level, goroutines, offset)
	options := append(slices.Clip(f.Options), simdbloom.WithConcurrency(goroutines))
	unit := max(f.UnitBytes, 128)
	switch size := f.LeastBytes + int(float64(n)*bitsPerKey/8)/unit*unit; {
	case r.IntN(8) == 0:
		options, r.name = append(options, simdbloom.WithMaxBytes(size)), r.name+fmt.Sprintf(", at most %d bytes", size)
	case r.IntN(8) == 0 && f.Format != simdbloom.Linear: // which has no exact sizes
		options, r.name = append(options, simdbloom.WithSizeBytes(size)), r.name+fmt.Sprintf(", exactly %d bytes", size)
	}
	b := contract.Must(f.NewBuilder(bitsPerKey, r.format.Hash, options...))
	if r.IntN(16) == 0 && n <= 1<<18 {
		r.addedKeys = r.randomKeys(n)
	} else {
		r.added = f.Hashes(r.Uint64(), n)
	}
	at(level, func() {
		b.AddHashes(r.added)
		b.AddKeys(r.addedKeys)
		r.data = contract.Must(b.Finish())
	})
	for _, key := range r.addedKeys {
		r.added = append(r.added, r.format.Hash.Sum64(key))
	}
	if random := r.IntN(64); random < 16 {
		if random == 0 {
			r.data = f.Framed(make([]byte, f.UnitBytes*(1+int(math.Exp2(26*r.Float64()))/f.UnitBytes)))
		}
		r.randomize()
	}
	placed := aligned.Make(offset + len(r.data))[offset:]
	copy(placed, r.data)
	r.data = placed
}

// randomize overwrites what is not header or trailer, and the number of probes.
func (r *round) randomize() {
	r.added, r.addedKeys = nil, nil
	start, end := 0, len(r.data)-len(r.format.Trailer(r.format.UnitBytes))
	if r.format.Header != nil {
		start = len(r.format.Header(r.format.UnitBytes))
	}
	if r.format.Format == simdbloom.Linear {
		end = len(r.data) - 8*(1+int(r.data[len(r.data)-6]))
	}
	dense := 1 + r.IntN(4)
	for rest := r.data[start:end]; len(rest) >= 8; rest = rest[8:] {
		for range dense {
			binary.LittleEndian.PutUint64(rest, binary.LittleEndian.Uint64(rest)|r.Uint64())
		}
	}
	if r.probes != 0 {
		r.data[(r.probes+len(r.data))%len(r.data)] = byte(1 + r.IntN(30))
	}
	if r.format.Format == simdbloom.Legacy { // in some, lines of 32 or 16 bytes
		lines := r.data[len(r.data)-4:]
		binary.LittleEndian.PutUint32(lines, binary.LittleEndian.Uint32(lines)<<max(r.IntN(6)-3, 0))
	}
	r.name += fmt.Sprintf(", %d random bytes instead", end-start)
}

func (r *round) randomKeys(n int) (keys [][]byte) {
	for range n {
		key := make([]byte, 8+r.IntN(24)+r.IntN(200)*(r.IntN(64)/63))
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		keys = append(keys, key)
	}
	return keys
}

func (r *round) makeHashes() {
	const n, low = hashesOfFilter, math.MaxUint32
	extremes := [...]uint64{0, math.MaxUint64, low, low << 32}
	r.hashes, r.want, r.got, r.stream = make([]uint64, n), make([]bool, n), make([]bool, n), r.Uint64()
	for i := 0; i < n; {
		kind, base := r.IntN(10), r.Uint64()
		if r.added != nil && r.IntN(2) == 0 {
			base = r.added[r.IntN(len(r.added))]
		}
		for end := min(i+1+r.IntN(300), n); i < end; i++ {
			h := splitmix.Value(r.stream, uint64(i))
			added := h
			if r.added != nil {
				added = r.added[h%uint64(len(r.added))]
			}
			r.hashes[i] = [...]uint64{
				h, h, h, added, added, h<<32 | base&low, base&^low | h&low, base ^ 1<<(i%64), base + uint64(i), extremes[i%4],
			}[kind]
		}
	}
	if r.addedKeys != nil {
		r.keys = r.randomKeys(n)
		for i := range r.keys {
			if r.IntN(2) == 0 {
				r.keys[i] = r.addedKeys[r.IntN(len(r.addedKeys))]
			}
			r.hashes[i] = r.format.Hash.Sum64(r.keys[i])
		}
	}
	for end := 0; end < n; r.ends = append(r.ends, end) {
		end = min(end+int(math.Exp2(16*r.Float64()*r.Float64()))-1, n)
	}
}
