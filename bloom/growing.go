package bloom

import (
	"errors"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
)

// growing is what Mutable and Concurrent share: a filter over memory of its own, which keys
// are added to. Its kernel knows whether the memory is shared.
type growing struct {
	filter   Filter
	capacity uint64   // keys
	_        [56]byte // makes it 256 bytes, which Go allocates at cache lines: see the test
}

// A preparer is asm.NewFastLocal or asm.NewSharedFastLocal.
type preparer func(body []byte, probes int) asm.FastLocal

func newGrowing(keys int, bitsPerKey float64, hash keyhash.Hash, prepare preparer) (growing, error) {
	o, err := chosen(bitsPerKey, nil)
	switch {
	case err != nil:
		return growing{}, err
	case hash.IsZero():
		return growing{}, answers.ErrNoHash
	case keys < 0:
		return growing{}, fmt.Errorf("the number of keys must be at least 0, not %d", keys)
	}
	format := o.format(uint64(max(keys, 1)))
	trailer := format.Trailer()
	size, err := building.CheckSize(keys, format.body+uint64(len(trailer)), format.body <= asm.MaxBodyBytes, aligned.Slack)
	if err != nil {
		return growing{}, err
	}
	data := aligned.Make(size)
	copy(data[format.body:], trailer)
	return growingOver(data, int(format.body), format.probes, o.millibits, hash, prepare), nil
}

// openGrowing returns the filter of stored bytes, whose memory becomes its own.
func openGrowing(data []byte, hash keyhash.Hash, prepare preparer) (growing, error) {
	if hash.IsZero() {
		return growing{}, answers.ErrNoHash
	}
	body, probes, kind, flaw := read(data)
	switch {
	case flaw != "":
		return growing{}, answers.Corrupt(data, flaw)
	case kind == Empty:
		return growing{}, errors.New("an empty filter has no room for keys: make a new one")
	case kind != FastLocal:
		return growing{}, fmt.Errorf("keys can be added to FastLocal filters only, and this one is %s", kind)
	}
	return growingOver(data, len(body), probes, fastlocal.LeastMillibits(probes), hash, prepare), nil
}

// growingOver returns the filter whose bytes are data, and which has room for keys of the
// given thousandths of bits.
func growingOver(data []byte, body, probes, millibits int, hash keyhash.Hash, prepare preparer) growing {
	blocks := data[:body:body]
	return growing{
		filter: Filter{
			kernel: prepare(blocks, probes), hash: hash, data: data,
			contents: contents{FastLocal, probes, blocks},
		},
		capacity: fastlocal.EntriesFor(uint64(len(data)), millibits),
	}
}

// room is the capacity, as far as an int holds it.
func (g *growing) room() int { return int(min(g.capacity, math.MaxInt)) }

// clone returns a filter over a copy of the memory.
func (g *growing) clone(prepare preparer) growing {
	c, data := *g, g.copy()
	body := data[:len(g.filter.body):len(g.filter.body)]
	c.filter.data, c.filter.body, c.filter.kernel = data, body, prepare(body, g.filter.probes)
	return c
}

// copy returns a copy of the filter's bytes, of which the zero filter has none. What follows the
// body never changes.
func (g *growing) copy() []byte {
	if len(g.filter.data) == 0 {
		return nil
	}
	data := aligned.Make(len(g.filter.data))
	n := len(g.filter.body)
	if body := g.filter.kernel.Read(data[:n], 0); &body[0] != &data[0] {
		copy(data, body)
	}
	copy(data[n:], g.filter.data[n:])
	return data
}

func (g *growing) snapshot() *Filter {
	data, c := g.copy(), g.filter.contents
	c.body = data[:len(c.body)]
	return newFilter(data, c, g.filter.hash)
}

// addKeys hashes a block of keys at a time.
func (g *growing) addKeys(keys [][]byte) {
	if len(keys) <= answers.SmallBlock {
		var hashes [answers.SmallBlock]uint64
		g.addBlocks(keys, hashes[:0])
		return
	}
	var hashes [answers.Block]uint64
	g.addBlocks(keys, hashes[:0])
}

func (g *growing) addBlocks(keys [][]byte, hashes []uint64) {
	for len(keys) > 0 {
		n := min(cap(hashes), len(keys))
		g.filter.kernel.AddAll(g.filter.hash.AppendHashes(hashes, keys[:n]))
		keys = keys[n:]
	}
}

// union adds the keys of another filter.
func (g *growing) union(other *growing) error {
	a, b := &g.filter, &other.filter
	switch {
	case len(a.body) != len(b.body):
		return fmt.Errorf("filters of %d and %d bytes have no union: their sizes differ", len(a.data), len(b.data))
	case a.probes != b.probes:
		return fmt.Errorf("filters of %d and %d probes have no union: their bits per key differ", a.probes, b.probes)
	case a.hash != b.hash && a.hash.Name() == b.hash.Name():
		return fmt.Errorf("filters of two key hashes named %s have no union: keyhash.New was called twice", a.hash.Name())
	case a.hash != b.hash:
		return fmt.Errorf("filters of the key hashes %s and %s have no union", a.hash.Name(), b.hash.Name())
	}
	a.kernel.Unite(&b.kernel)
	return nil
}

// pieceBytes of a shared body are copied at a time to be counted.
const pieceBytes = 4096

func (g *growing) estimatedKeys() float64 {
	var room [pieceBytes]byte
	f, set := &g.filter, uint64(0)
	for from := 0; from < len(f.body); from += pieceBytes {
		set += fastlocal.SetBits(f.kernel.Read(room[:min(pieceBytes, len(f.body)-from)], from))
	}
	return fastlocal.EstimatedKeys(set, uint64(len(f.body)), f.probes)
}

func (g *growing) estimatedFPR() float64 {
	var room [pieceBytes]byte
	f, sum := &g.filter, 0.0
	for from := 0; from < len(f.body); from += pieceBytes {
		piece := f.kernel.Read(room[:min(pieceBytes, len(f.body)-from)], from)
		sum += fastlocal.EstimatedFPR(piece, f.probes) * float64(len(piece))
	}
	return sum / float64(len(f.body))
}

func (g *growing) predictedFPR(keys int) float64 {
	if keys <= 0 {
		return 0
	}
	return fastlocal.PredictedFPR(uint64(len(g.filter.body)), g.filter.probes, uint64(keys))
}

// full leaves room for the error of the estimate, whose standard deviation is below the
// square root of the number of keys: 0.4 times at 10 bits per key.
func (g *growing) full() bool {
	capacity := float64(g.capacity)
	return g.estimatedKeys() > capacity+2*math.Sqrt(capacity)
}
