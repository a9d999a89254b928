package sliced

import (
	"fmt"
	"iter"
	"math/bits"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
)

// Candidates looks up many keys, and yields one filter after the other, as [simdbloom.Candidates] does for the same
// filters: the id of each that may contain some of the keys, and the indexes of the keys' hashes, both in ascending
// order. The body of the loop clears the bits of wanted of keys that need no further filter, and must not set bits. The
// iteration ends as soon as no hash is wanted. The yielded slice is valid until the next step; the caller may change
// it.
//
// It panics if wanted has less than a bit for each hash. It costs a few times as much as [Filters.Hits], and allocates
// 64 bytes for each hash, and some 20,000.
func (s *Filters) Candidates(hashes, wanted []uint64) iter.Seq2[int, []int] {
	if words := asm.Words(len(hashes)); len(wanted) < words {
		panic(fmt.Sprintf("sliced: len(wanted) is %d, but %d hashes need %d words", len(wanted), len(hashes), words))
	}
	return func(yield func(int, []int) bool) {
		c := s.collection()
		w := wanted[:asm.Words(len(hashes))]
		i := candidates{c: c, hashes: hashes, wanted: w, chunks: make([]chunk, len(c.shapes))}
		i.all(yield)
		runtime.KeepAlive(c)
	}
}

// candidates is the state of an iteration.
type candidates struct {
	c              *collection
	hashes, wanted []uint64
	keys           keys
	chunks         []chunk // of the shapes
	rows, answers  []uint64
	found          []int
}

// keys are hashes that were wanted at some time.
type keys struct {
	hashes []uint64
	places []int // among all hashes, or nil if these are all
}

// chunk has the answers of some columns that follow each other in a tile.
type chunk struct {
	keys
	first, columns int
	bits           []uint64 // words for each column, with a bit for each of the keys
}

func (i *candidates) all(yield func(int, []int) bool) {
	i.keys.hashes = i.hashes
	if !i.update() {
		return
	}
	c, loose := i.c, 0
	for id := range c.ids.n {
		if c.ids.removed.n > 0 && c.ids.removed.has(id) {
			continue
		}
		i.found = i.found[:0]
		if loose < len(c.loose.ids) && c.loose.ids[loose] == id {
			i.find(i.keys, i.lookUp(loose))
			loose++
		} else {
			at := c.ids.place(id)
			column, k := int(at.column), &i.chunks[at.shape]
			if column < k.first || column >= k.first+k.columns {
				i.load(k, c.shapes[at.shape], column)
			}
			words := asm.Words(len(k.hashes))
			i.find(k.keys, k.bits[(column-k.first)*words:][:words])
		}
		if len(i.found) > 0 && (!yield(id, i.found) || !i.update()) {
			return
		}
	}
}

// update drops keys as soon as more than an eighth is not wanted any more. It reports whether any is.
func (i *candidates) update() bool {
	left := batches.Ones(i.wanted)
	if beyond := len(i.hashes) % 64; beyond > 0 {
		left -= bits.OnesCount64(i.wanted[len(i.wanted)-1] >> beyond)
	}
	if left < len(i.keys.hashes)-len(i.keys.hashes)/8 {
		packed := keys{make([]uint64, 0, left), make([]int, 0, left)}
		for at, word := range i.wanted {
			for ; word != 0 && len(packed.places) < left; word &= word - 1 { // the bits beyond the hashes come last
				place := 64*at + bits.TrailingZeros64(word)
				packed.hashes, packed.places = append(packed.hashes, i.hashes[place]), append(packed.places, place)
			}
		}
		i.keys = packed
	}
	return left > 0
}

// find sets found to the keys that are wanted and whose answers are yes.
func (i *candidates) find(k keys, answers []uint64) {
	for at, word := range answers {
		if k.places == nil {
			word &= i.wanted[at]
		}
		for ; word != 0; word &= word - 1 {
			place := 64*at + bits.TrailingZeros64(word)
			if k.places != nil {
				if place = k.places[place]; i.wanted[place/64]>>(place%64)&1 == 0 {
					continue
				}
			}
			i.found = append(i.found, place)
		}
	}
}

// lookUp returns the answers of a loose filter.
func (i *candidates) lookUp(loose int) []uint64 {
	words := asm.Words(len(i.keys.hashes))
	i.answers = grown(i.answers, words)
	i.c.loose.filters[loose].ContainsHashBits(i.keys.hashes, i.answers)
	return i.answers[:words]
}

const (
	keysTogether = 128     // keys whose rows and answers, which stay in the first-level cache, are computed together
	manyKeys     = 1 << 16 // more have a word of columns in memory, and not a chunk
)

// load looks up the keys in the columns around the given one.
func (i *candidates) load(k *chunk, s *shape, column int) {
	number := column / tileColumns
	t := &s.tiles[number]
	across := min(chunkColumns, 8*s.tileWidth(number))
	if s.unordered || len(i.keys.hashes) > manyKeys { // another column may be wanted next
		across = wordColumns
	}
	k.keys, k.first, k.columns = i.keys, column/across*across, across
	words := asm.Words(len(k.hashes))
	k.bits = grown(k.bits, across*words)
	memory := t.memory[k.first%tileColumns/8:]
	for from := 0; from < len(k.hashes); from += keysTogether {
		hashes := k.hashes[from:min(from+keysTogether, len(k.hashes))]
		i.rows = grown(i.rows, len(hashes)*(s.probes+1))[:0]
		for _, hash := range hashes {
			n := len(i.rows)
			i.rows = s.appendRows(i.rows, t, hash)
			if t.source != nil {
				t.source.passOver(i.rows[n:], t, s.liveRow(t))
			}
		}
		probes, wide := len(i.rows)/len(hashes), across/wordColumns
		i.answers = grown(i.answers, keysTogether*wide)
		asm.AndSlicedKeys(i.answers, memory, i.rows, probes, wide)
		whole := i.answers[:64*asm.Words(len(hashes))*wide]
		clear(whole[len(hashes)*wide:])
		asm.TransposeWords(k.bits[from/64:], words, whole, wide)
	}
}

// grown returns a slice of n words, whose content is undefined.
func grown(words []uint64, n int) []uint64 {
	if cap(words) < n {
		return make([]uint64, n)
	}
	return words[:n]
}
