package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/FastFilter/xorfilter"
	"github.com/cespare/xxhash/v2"
	blocked "github.com/greatroar/blobloom"
	split "github.com/parquet-go/parquet-go/bloom"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// beside is a piece of work that another library does, too: for the same format, or at about the same rate.
type beside struct {
	kind, work, peer string
	keys             int // of a pass, or 0 for all
	own, other       func(p *pass)
	ownNS, otherNS   times
	ratios           times
}

// pass has the keys that are timed at once: hashes to add, and queries, half of them present.
type pass struct {
	hashes, queries []uint64
	keys            [][]byte // of the queries in calls of keys
	hits            []bool
}

// besides times the kinds of work in which other libraries led, each beside the other in turn. It prints all, and in
// how many the other library leads.
func (s *settings) besides(stdout io.Writer) error {
	defer machine.Pin()()
	t := markdown.New("kind", "work", "filter", "ns a key", "the other's", "ratio")
	var kinds []string
	leads, cells := make(map[string]int), make(map[string]int)
	measure := func(size string, passes []*pass, rows []*beside) {
		for _, row := range rows {
			for turn := range max(s.rounds, len(passes)) * 2 {
				row.time(passes, turn)
			}
			if !slices.Contains(kinds, row.kind) {
				kinds = append(kinds, row.kind)
			}
			cells[row.kind]++
			ratio := row.ratios.median()
			if ratio > 1 {
				leads[row.kind]++
			}
			t.Add(row.kind, row.work, size, nanoseconds(row.ownNS), nanoseconds(row.otherNS)+" "+row.peer, fmt.Sprintf("%.2f", ratio))
		}
	}
	coin := rand.New(rand.NewPCG(s.keys.seed, 0))
	for _, bytes := range besideBytes {
		present := vectors.Hashes(coin.Uint64(), bytes*8/adderBits)
		passes := passesOver(coin, present, bytes)
		measure(markdown.Size(bytes), passes, slices.Concat(addingBeside(present), lookupsBeside(present)))
		if bytes <= 1<<20 { // keys of larger ones take a gigabyte
			measure(markdown.Size(bytes), passes, buildersBeside(present))
		}
		for _, bitsPerKey := range besideLinear {
			present := vectors.Hashes(coin.Uint64(), int(8*float64(bytes)/bitsPerKey))
			rows, err := linearBeside(present, bitsPerKey)
			if err != nil {
				return err
			}
			measure(markdown.Size(bytes), passesOver(coin, present, bytes), rows)
		}
	}
	for _, keys := range besideKeys {
		measure(fmt.Sprint(keys, " keys"), passesOver(coin, vectors.Hashes(coin.Uint64(), 1<<14), 0), smallBeside(keys))
	}
	if found == 0 {
		return errFalseNegative
	}
	fmt.Fprintf(stdout, "%s. Medians, ns a key.\n\n%s\n", measured.Describe(), t)
	all, of := 0, 0
	for _, kind := range kinds {
		fmt.Fprintf(stdout, "%s: another library leads in %d of %d.\n", kind, leads[kind], cells[kind])
		all, of = all+leads[kind], of+cells[kind]
	}
	runtime.KeepAlive(found)
	_, err := fmt.Fprintf(stdout, "In all: %d of %d.\n", all, of)
	return err
}

// Sizes of filters: in the first cache, in the second, and beyond both. Bits per key of Linear filters, at about the
// rates of binary fuse filters of 8 and 16 bits, and numbers of keys of small ones.
var (
	besideBytes  = []int{16 << 10, 1 << 20, 32 << 20}
	besideLinear = []float64{8.55, 17}
	besideKeys   = []int{100, 200, 500, 1000, 2000, 5000}
)

// time times both, the other one first every second time, each after a pass of other keys that brings its filter back
// into the caches.
func (b *beside) time(passes []*pass, turn int) {
	p, warm := passes[turn%len(passes)], passes[(turn+1)%len(passes)]
	keys := b.keys
	if keys == 0 {
		keys = len(p.hashes)
	}
	for i := range 2 {
		work, ns := b.own, &b.ownNS
		if (i+turn)%2 == 1 {
			work, ns = b.other, &b.otherNS
		}
		work(warm)
		*ns = append(*ns, timing.PerKey(keys, func() { work(p) }))
	}
	b.ratios = append(b.ratios, b.ownNS[turn]/b.otherNS[turn])
}

func passesOver(coin *rand.Rand, present []uint64, bytes int) []*pass {
	const passes, near, far = 8, 1 << 14, 1 << 17
	n := near
	if bytes > 4<<20 {
		n = far
	}
	all := make([]*pass, passes)
	for i := range all {
		p := &pass{hashes: vectors.Hashes(coin.Uint64(), n), queries: vectors.Hashes(coin.Uint64(), n), keys: newKeys(n), hits: make([]bool, n)}
		for j := range n {
			keySet{}.put(p.keys[j], p.queries[j])
			if j&1 == 0 {
				p.queries[j] = present[coin.IntN(len(present))]
			}
		}
		coin.Shuffle(n, func(i, j int) { p.queries[i], p.queries[j] = p.queries[j], p.queries[i] })
		all[i] = p
	}
	return all
}

// found is the number of answers that were true.
var found int

// mutableOf returns a filter that has half of its keys.
func mutableOf(format root.Format, present []uint64) *root.Mutable {
	f, err := root.NewMutable(format, len(present), adderBits, keyhash.XX64)
	if err != nil {
		panic(err) // the arguments are constants
	}
	f.AddHashes(present[:len(present)/2])
	return f
}

func splitOf(keys int) split.SplitBlockFilter {
	return make(split.SplitBlockFilter, bytesFor(keys, adderBits)/split.BlockSize)
}

func blockedOf(keys int) *blocked.Filter {
	const lowest = 1e-300 // a rate that takes all the memory
	return blocked.NewOptimized(blocked.Config{Capacity: uint64(keys), FPRate: lowest, MaxBits: uint64(adderBits * keys)})
}

// addingBeside adds one hash a call, and adds and looks up in turn.
func addingBeside(present []uint64) (rows []*beside) {
	const kind = "Adding one key"
	add := func(format root.Format, peer string, adding, turns func(p *pass)) {
		f := mutableOf(format, present)
		rows = append(rows, &beside{kind: kind, work: format.String() + ", one hash", peer: peer, other: adding, own: func(p *pass) {
			for _, hash := range p.hashes {
				f.AddHash(hash)
			}
		}}, &beside{kind: kind, work: format.String() + ", in turn with lookups", peer: peer, other: turns, own: func(p *pass) {
			for i, hash := range p.hashes {
				f.AddHash(hash)
				found += tables.One(f.ContainsHash(p.queries[i]))
			}
		}})
	}
	g := splitOf(len(present))
	adding := func(p *pass) {
		for _, hash := range p.hashes {
			g.Insert(hash)
		}
	}
	turns := func(p *pass) {
		for i, hash := range p.hashes {
			g.Insert(hash)
			found += tables.One(g.Check(p.queries[i]))
		}
	}
	add(root.FastLocal, "parquet-go", adding, turns)
	add(root.SplitBlock, "parquet-go", adding, turns)
	b := blockedOf(len(present))
	add(root.Blobloom, "blobloom", func(p *pass) {
		for _, hash := range p.hashes {
			b.Add(hash)
		}
	}, func(p *pass) {
		for i, hash := range p.hashes {
			b.Add(hash)
			found += tables.One(b.Has(p.queries[i]))
		}
	})
	return rows
}

// lookupsBeside looks up one hash a call, and keys of 16 bytes, one, eight or all a call.
func lookupsBeside(present []uint64) (rows []*beside) {
	g, b := splitOf(len(present)), blockedOf(len(present))
	g.InsertBulk(present)
	for _, hash := range present {
		b.Add(hash)
	}
	checks := func(p *pass) {
		for _, hash := range p.queries {
			found += tables.One(g.Check(hash))
		}
	}
	checksKeys := func(p *pass) { parquet{g}.batch(p.keys, p.hits) }
	for _, format := range []root.Format{root.FastLocal, root.SplitBlock, root.Blobloom} {
		m := mutableOf(format, present)
		m.AddHashes(present[len(present)/2:])
		f, peer, check := m.Filter.CopyAligned(), "parquet-go", checks
		if format == root.Blobloom {
			peer, check = "blobloom", func(p *pass) {
				for _, hash := range p.queries {
					found += tables.One(b.Has(hash))
				}
			}
		}
		rows = append(rows, &beside{kind: "One hash", work: format.String(), peer: peer, other: check, own: func(p *pass) {
			for _, hash := range p.queries {
				found += tables.One(f.ContainsHash(hash))
			}
		}})
		if format == root.Blobloom {
			continue
		}
		for _, call := range []int{1, 8, 0} {
			row := &beside{kind: "Keys", work: fmt.Sprintf("%v, %d a call", format, call), peer: peer, other: checksKeys, own: func(p *pass) {
				for i := 0; i < len(p.keys); i += call {
					f.ContainsKeys(p.keys[i:i+call], p.hits[i:i+call])
				}
			}}
			switch call {
			case 0:
				row.work, row.own = format.String()+", all in a call", func(p *pass) { f.ContainsKeys(p.keys, p.hits) }
			case 1:
				row.own = func(p *pass) {
					for i, key := range p.keys {
						p.hits[i] = f.Contains(key)
					}
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// buildersBeside builds filters of all keys.
func buildersBeside(present []uint64) (rows []*beside) {
	keys := newKeys(len(present))
	for i, key := range keys {
		keySet{}.put(key, present[i])
	}
	var data []byte
	for _, format := range []root.Format{root.FastLocal, root.SplitBlock} {
		add := func(work string, own func(b *root.Builder), other func(f split.SplitBlockFilter)) {
			b, err := root.NewBuilder(format, adderBits, keyhash.XX64)
			if err != nil {
				panic(err) // the arguments are constants
			}
			f := splitOf(len(keys))
			rows = append(rows, &beside{kind: "Builders", work: format.String() + ", " + work, peer: "parquet-go", keys: len(keys), own: func(*pass) {
				own(b)
				if data, err = b.AppendFinish(data[:0]); err != nil {
					panic(err) // there is no limit
				}
			}, other: func(*pass) {
				f.Reset()
				other(f)
			}})
		}
		add("from hashes", func(b *root.Builder) { b.AddHashes(present) }, func(f split.SplitBlockFilter) { f.InsertBulk(present) })
		add("from keys", func(b *root.Builder) { b.AddKeys(keys) }, func(f split.SplitBlockFilter) { _ = parquet{f}.add(keys) }) // which never fails
		add("key by key", func(b *root.Builder) {
			for _, key := range keys {
				b.Add(key)
			}
		}, func(f split.SplitBlockFilter) {
			for _, key := range keys {
				f.Insert(xxhash.Sum64(key))
			}
		})
	}
	return rows
}

// linearBeside looks up one hash a call.
func linearBeside(present []uint64, bitsPerKey float64) ([]*beside, error) {
	b, err := root.NewBuilder(root.Linear, bitsPerKey, keyhash.XX64)
	if err != nil {
		return nil, err
	}
	b.AddHashes(present)
	f, err := b.Filter()
	if err != nil {
		return nil, err
	}
	row := &beside{kind: "Linear", work: fmt.Sprintf("%v bits/key, one hash", bitsPerKey), peer: "binary fuse", own: func(p *pass) {
		for _, hash := range p.queries {
			found += tables.One(f.ContainsHash(hash))
		}
	}}
	if bitsPerKey < fuse16/2+1 {
		row.other, err = checksFuse[uint8](present)
	} else {
		row.other, err = checksFuse[uint16](present)
	}
	return []*beside{row}, err
}

func checksFuse[T xorfilter.Unsigned](present []uint64) (func(p *pass), error) {
	f, err := xorfilter.NewBinaryFuse[T](slices.Clone(present))
	return func(p *pass) {
		for _, hash := range p.queries {
			found += tables.One(f.Contains(hash))
		}
	}, err
}

// smallBeside builds small Linear filters.
func smallBeside(keys int) (rows []*beside) {
	for _, bitsPerKey := range besideLinear {
		b, err := root.NewBuilder(root.Linear, bitsPerKey, keyhash.XX64)
		if err != nil {
			panic(err) // the arguments are constants
		}
		row := &beside{kind: "Linear", work: fmt.Sprintf("%v bits/key, building", bitsPerKey), peer: "binary fuse", own: func(p *pass) {
			for from := 0; from+keys <= len(p.hashes); from += keys {
				b.AddHashes(p.hashes[from : from+keys])
				if _, err := b.Finish(); err != nil {
					panic(err) // there is no limit
				}
			}
		}}
		if bitsPerKey < fuse16/2+1 {
			row.other = buildsFuse[uint8](keys)
		} else {
			row.other = buildsFuse[uint16](keys)
		}
		rows = append(rows, row)
	}
	return rows
}

func buildsFuse[T xorfilter.Unsigned](keys int) func(p *pass) {
	var b xorfilter.BinaryFuseBuilder
	return func(p *pass) {
		for from := 0; from+keys <= len(p.hashes); from += keys {
			if _, err := xorfilter.BuildBinaryFuse[T](&b, p.hashes[from:from+keys]); err != nil {
				panic(err) // hashes are random
			}
		}
	}
}
