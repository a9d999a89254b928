package sliced

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	answers = flag.Int("answers", 1_000_000, "the least `number` of answers of filters for keys; with -short, a quarter")
	seed    = flag.Uint64("seed", rand.Uint64(), "the `seed` of filters and keys")
)

// eachLevel calls f at every level of this machine.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if cpu.Current().Includes(level) {
			t.Run(level.String(), func(t *testing.T) {
				defer cpu.Limit(level)()
				f(t)
			})
		}
	}
}

// TestAsOneByOne appends and removes random filters, and compares all answers with those of the filters themselves.
func TestAsOneByOne(t *testing.T) {
	wanted := *answers
	if testing.Short() {
		wanted /= 4
	}
	fmt.Printf("-seed=%d\n", *seed)
	round := uint64(0)
	eachLevel(t, func(t *testing.T) {
		compared, first := 0, round
		for ; compared < wanted || round < first+100; round++ { // most have few filters
			m := newModel(t, rand.New(rand.NewPCG(*seed, round)))
			m.change()
			compared += m.compare()
			for range m.random.IntN(4) {
				m.change()
				compared += m.compare()
			}
		}
		t.Logf("%d answers in %d rounds", compared, round-first)
	})
}

// model has Filters, and those that were appended to them.
type model struct {
	*testing.T
	*Filters
	random  *rand.Rand
	hash    keyhash.Hash
	kinds   []kind
	most    int                 // filters
	filters []*simdbloom.Filter // by their ids; nil if removed
	present []uint64            // hashes that are in some
}

func newModel(t *testing.T, random *rand.Rand) *model {
	m := &model{T: t, random: random, hash: contract.FastLocal.KeyHashes[random.IntN(3)], most: 8 << random.IntN(9)}
	m.Filters = New(m.hash)
	for range 1 + random.IntN(1+random.IntN(12)) {
		k := kind{asm.FastLocal, 1 + random.IntN(12), 64 * (1 + random.IntN(1+random.IntN(12)))}
		switch random.IntN(3) {
		case 1:
			k = kind{asm.SplitBlock, 8, 32 * (1 + random.IntN(12))}
		case 2:
			k.format = asm.Blobloom
			if random.IntN(8) == 0 {
				k.probes = 60 + random.IntN(10)
			}
		}
		m.kinds = append(m.kinds, k)
	}
	return m
}

// filter returns a random filter.
func (m *model) filter() *simdbloom.Filter {
	if m.random.IntN(200) == 0 {
		return contract.Must(bloom.Open(make([]byte, 6*m.random.IntN(2)), m.hash))
	}
	if m.random.IntN(30) == 0 {
		f := contract.Must(filterfile.New(m.filterOf(), filterfile.WithBitsPerKey(10+float64(m.random.IntN(2)))))
		return f.Filter
	}
	return m.filterOf()
}

// filterOf returns a random filter of a random kind.
func (m *model) filterOf() *simdbloom.Filter {
	k := m.kinds[m.random.IntN(len(m.kinds))]
	data := make([]byte, k.bodyBytes)
	for i := range data {
		data[i] = byte(m.random.Uint32())
	}
	switch k.format {
	case asm.FastLocal:
		data = append(data, 0xff, 0, byte(k.probes), 0, 0)
		if m.random.IntN(100) == 0 { // bytes before the trailer that belong to no block
			data = slices.Insert(data, k.bodyBytes, []byte("rest")...)
		}
	case asm.Blobloom:
		header := contract.BlobloomHeader(uint64(k.bodyBytes/64), uint32(k.probes+1))
		if m.random.IntN(100) == 0 {
			copy(header[20:], "a comment")
		}
		data = append(header, data...)
	}
	format := simdbloom.Format(k.format)
	if m.random.IntN(4) > 0 {
		return contract.Must(simdbloom.Open(format, data, m.hash))
	}
	hash := m.random.Uint64()
	m.present = append(m.present, hash)
	if m.random.IntN(2) == 0 {
		c := contract.Must(simdbloom.OpenConcurrent(format, data, m.hash))
		c.AddHash(hash)
		return &c.Filter
	}
	c := contract.Must(simdbloom.OpenMutable(format, data, m.hash))
	c.AddHash(hash)
	return &c.Filter
}

// change appends and removes filters.
func (m *model) change() {
	for range 1 + m.random.IntN(4) {
		n := m.random.IntN(1 + m.most/4)
		switch m.random.IntN(4) {
		case 0:
			m.remove(n)
		case 1:
			for range min(n, 200) {
				m.append(m.filter())
			}
		case 2:
			if err := m.Grow(n); err != nil {
				m.Fatal(err)
			}
		default:
			var filters []*simdbloom.Filter
			for range n {
				filters = append(filters, m.filter())
			}
			first, err := m.AppendAll(filters)
			if err != nil || first != len(m.filters) {
				m.Fatalf("AppendAll of %d: %d, %v, want %d", n, first, err, len(m.filters))
			}
			m.filters = append(m.filters[:first], filters...)
		}
		if m.Len() != m.live() {
			m.Fatalf("%d filters, want %d", m.Len(), m.live())
		}
	}
}

func (m *model) append(f *simdbloom.Filter) {
	want := slices.Index(m.filters, nil)
	if want < 0 {
		want = len(m.filters)
		m.filters = append(m.filters, nil)
	}
	id, err := m.Append(f)
	if err != nil || id != want {
		m.Fatalf("Append: %d, %v, want %d", id, err, want)
	}
	m.filters[id] = f
}

func (m *model) remove(n int) {
	if m.random.IntN(10) == 0 {
		n = len(m.filters)
	}
	for range min(n, m.live()) {
		id := m.random.IntN(len(m.filters))
		if err := m.Remove(id); (err == nil) != (m.filters[id] != nil) {
			m.Fatal(err)
		}
		m.filters[id] = nil
	}
	if m.live() == 0 {
		m.filters = nil
	}
}

func (m *model) live() int {
	n := 0
	for _, f := range m.filters {
		if f != nil {
			n++
		}
	}
	return n
}

// compare compares all lookups and some filters, and returns the number of answers.
func (m *model) compare() int {
	hashes := make([]uint64, 1+m.random.IntN(1<<m.random.IntN(8)))
	for i := range hashes {
		if hashes[i] = m.random.Uint64(); len(m.present) > 0 && m.random.IntN(2) == 0 {
			hashes[i] = m.present[m.random.IntN(len(m.present))]
		}
	}
	checkLookups(m.T, m.Filters, m.filters, hashes, m.random)
	for range min(20, len(m.filters)) {
		checkFilter(m.T, m.Filters, m.filters, m.random.IntN(len(m.filters)))
	}
	if m.random.IntN(3) == 0 {
		m.reopen(hashes)
	}
	shapes := 0
	for _, s := range m.Shapes() {
		shapes += s.Filters
	}
	for _, f := range m.filters {
		if f != nil && isConstant(f) {
			shapes++
		}
	}
	if shapes != m.live() {
		m.Fatalf("%d filters in shapes and beside them, want %d", shapes, m.live())
	}
	return m.live() * len(hashes)
}

// reopen writes the Filters, compares what is opened again, and goes on with that.
func (m *model) reopen(hashes []uint64) {
	var file bytes.Buffer
	n, err := m.WriteTo(&file)
	if err != nil || n != int64(file.Len()) {
		m.Fatalf("WriteTo: %d of %d bytes, %v", n, file.Len(), err)
	}
	options := []filterfile.OpenOption{filterfile.WithHash(m.hash)}
	if m.random.IntN(2) == 0 {
		options = append(options, filterfile.WithLazyCheck())
	}
	opened, err := OpenBytes(bytes.Clone(file.Bytes()), options...)
	if err != nil {
		m.Fatal(err)
	}
	checkLookups(m.T, opened, m.filters, hashes, m.random)
	for range min(20, len(m.filters)) {
		checkFilter(m.T, opened, m.filters, m.random.IntN(len(m.filters)))
	}
	var again bytes.Buffer
	if _, err := opened.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), file.Bytes()) {
		m.Fatalf("written again it is another file (%v)", err)
	}
	m.Filters = opened
}

// checkLookups compares the lookups of hashes in filters, which are nil where they were removed.
func checkLookups(t *testing.T, s *Filters, filters []*simdbloom.Filter, hashes []uint64, random *rand.Rand) {
	t.Helper()
	var ids []int
	var live []*simdbloom.Filter
	for id, f := range filters {
		if f != nil {
			ids, live = append(ids, id), append(live, f)
		}
	}
	n := 0
	for i, hits := range s.Hits(hashes) {
		var want []int
		for _, at := range simdbloom.AppendFilters(nil, live, hashes[i]) {
			want = append(want, ids[at])
		}
		got := s.AppendHits([]int{-1}, hashes[i])
		if !slices.Equal(hits, want) || !slices.Equal(got[1:], want) || got[0] != -1 || i != n {
			t.Fatalf("hash %#x of %d filters: %v and %v, want %v", hashes[i], len(live), hits, got[1:], want)
		}
		n++
	}
	if n != len(hashes) {
		t.Fatalf("%d hashes, want %d", n, len(hashes))
	}
	// The same keys are found, or not wanted any more, in both.
	wanted := make([]uint64, (len(hashes)+63)/64)
	for i := range wanted {
		wanted[i] = random.Uint64() | random.Uint64()
	}
	finds, ends, seed := random.IntN(3) == 0, -1, random.Uint64()
	if random.IntN(4) == 0 {
		ends = random.IntN(10)
	}
	type step struct {
		id   int
		keys []int
	}
	record := func(wanted []uint64, candidates func(hashes, wanted []uint64) func(func(int, []int) bool), of func(int) int) (steps []step) {
		random := rand.New(rand.NewPCG(seed, 0))
		wanted = slices.Clone(wanted)
		for id, keys := range candidates(hashes, wanted) {
			steps = append(steps, step{of(id), slices.Clone(keys)})
			for _, key := range keys {
				if finds && random.IntN(4) == 0 {
					wanted[key/64] &^= 1 << (key % 64)
				}
			}
			clear(keys)
			if len(steps) == ends {
				break
			}
		}
		return steps
	}
	want := record(wanted, func(hashes, wanted []uint64) func(func(int, []int) bool) {
		return simdbloom.Candidates(live, hashes, wanted)
	}, func(i int) int { return ids[i] })
	got := record(wanted, func(hashes, wanted []uint64) func(func(int, []int) bool) {
		return s.Candidates(hashes, wanted)
	}, func(id int) int { return id })
	if !slices.EqualFunc(got, want, func(a, b step) bool { return a.id == b.id && slices.Equal(a.keys, b.keys) }) {
		t.Fatalf("%d hashes of %d filters, found %v, end %d: candidates %v, want %v", len(hashes), len(live), finds, ends, got, want)
	}
}

// checkFilter compares a filter that comes back with the one that was appended.
func checkFilter(t *testing.T, s *Filters, filters []*simdbloom.Filter, id int) {
	t.Helper()
	want, got := filters[id], s.Filter(id)
	if want == nil || got == nil {
		if (want == nil) != (got == nil) {
			t.Fatalf("filter %d: %v, want %v", id, got, want)
		}
		return
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) || got.Format() != want.Format() || got.Hash() != want.Hash() || got.Name() != want.Name() {
		t.Fatalf("filter %d of the format %v came back changed", id, want.Format())
	}
	if a, b := contract.Must(got.MarshalBinary()), contract.Must(want.MarshalBinary()); !bytes.Equal(a, b) {
		t.Fatalf("filter %d of the format %v is stored as other bytes", id, want.Format())
	}
}
