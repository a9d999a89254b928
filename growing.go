package simdbloom

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// growing is shared by Mutable and Concurrent: a filter over memory of its own, to which keys are
// added. Its kernel knows whether the memory is shared.
type growing struct {
	Filter
	capacity uint64   // keys
	_        [56]byte // makes it 448 bytes, which Go allocates at cache lines: see the test
}

func newGrowing(format Format, keys int, bitsPerKey float64, hash keyhash.Hash, shared bool) (growing, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return growing{}, err
	}
	g, err := formats.GrowthOf(asm.Format(format))
	if err == nil {
		err = checkHash(format, hash)
	}
	switch {
	case err != nil:
		return growing{}, err
	case keys < 0:
		return growing{}, fmt.Errorf("the number of keys must be at least 0, not %d", keys)
	}
	l := g.Layout
	body, probes := l.Size(uint64(max(keys, 1)), millibits, building.Limit{})
	beside := uint64(l.Beside())
	size, err := building.CheckSize(keys, body+beside, body <= l.MaxBodyBytes, aligned.Slack)
	if err != nil {
		most := l.KeysFor(uint64(min(l.MaxBodyBytes+beside, math.MaxInt-aligned.Slack)), millibits)
		return growing{}, fmt.Errorf("%w: at %v bits per key a filter has room for %d keys; put the keys into several filters by their hashes", err, bitsPerKey, most)
	}
	data := aligned.Make(size)
	g.Frame(data, probes)
	made := growingOver(g, format, data, int(body), probes, hash, shared)
	made.madeWith(millibits, true)
	return made, nil
}

// openGrowing returns the filter of stored bytes, whose memory becomes its own. It was made with the given bits per
// key, or 0 if that is unknown.
func openGrowing(format Format, data []byte, bitsPerKey float64, hash keyhash.Hash, shared bool) (growing, error) {
	if hash.IsZero() {
		return growing{}, contents.ErrNoHash
	}
	g, err := formats.GrowthOf(asm.Format(format))
	if err == nil {
		err = checkHash(format, hash)
	}
	if err != nil {
		return growing{}, err
	}
	c, err := formats.ReaderOf(asm.Format(format)).Read(data)
	switch {
	case err != nil:
		return growing{}, err
	case c.Format == asm.Empty:
		return growing{}, errors.New("an empty filter has no room for keys: make a new one")
	case c.Body == nil:
		_, err := formats.GrowthOf(c.Format)
		return growing{}, err
	}
	made := growingOver(g, format, data, len(c.Body), c.Probes, hash, shared)
	if millibits, err := building.Millibits(bitsPerKey); err == nil {
		made.madeWith(millibits, true)
	} else {
		made.madeWith(g.Millibits(c.Probes), false)
	}
	return made, nil
}

// growingOver returns the filter whose bytes are data.
func growingOver(g *formats.Growth, format Format, data []byte, body, probes int, hash keyhash.Hash, shared bool) growing {
	return growing{Filter: Filter{
		kernel: growingKernel(g, data, body, probes, hash, shared), hash: hash, data: data,
		named: format, reader: format, format: format,
	}}
}

// growingKernel prepares the body of a filter's bytes, which has the given size, for lookups and for adding.
func growingKernel(g *formats.Growth, data []byte, body, probes int, hash keyhash.Hash, shared bool) asm.Kernel {
	k := g.NewKernel(g.Body(data, body), probes, shared)
	hashBy(&k, hash)
	k.Grow()
	return k
}

// madeWith sets the capacity by the bits per key that the filter was made with, in thousandths, which are stored if they
// are known.
func (g *growing) madeWith(millibits int, known bool) {
	if known {
		g.millibits = int32(millibits)
	}
	g.capacity = g.growth().Layout.KeysFor(uint64(len(g.data)), millibits)
}

// growth returns the functions of the filter's format.
func (g *growing) growth() *formats.Growth {
	growth, _ := formats.GrowthOf(asm.Format(g.format))
	return growth
}

// clone returns a filter over a copy of the memory.
func (g *growing) clone() growing {
	if g.hash.IsZero() {
		return growing{}
	}
	c := *g
	c.data = g.copy()
	c.prepareAgain(len(g.kernel.Body()))
	return c
}

// prepareAgain prepares the filter's body, which has the given size.
func (g *growing) prepareAgain(body int) {
	shape := g.kernel.Shape()
	g.kernel = growingKernel(g.growth(), g.data, body, shape.Probes, g.hash, shape.Shared)
}

// Snapshot returns an immutable filter over a copy of the bytes as they are now. Of keys that are
// being added to a Concurrent meanwhile, it has some bits, or none.
func (g *growing) Snapshot() *Filter { return g.CopyAligned() }

// Capacity returns the number of keys for which the filter has the bits per key that it was made with:
// since sizes are whole blocks, the number that it was made for or a few more.
//
// MarshalBinary, MarshalText and WriteTo record the bits per key. The filter's own bytes, for [OpenMutable], do not: then
// Capacity assumes the fewest at which RocksDB would choose this number of probes, 8.301 for 6, and 10 for SplitBlock.
func (g *growing) Capacity() int { return int(min(g.capacity, math.MaxInt)) }

// Full reports whether more keys were added than the filter has Capacity for, so that its
// false-positive rate is above PredictedFPR of that number. Nothing fails then: the filter
// still accepts keys, and the rate rises.
//
// It compares EstimatedKeys with Capacity, and costs as much as EstimatedKeys: do not call it
// for every key. Because EstimatedKeys is not exact, Full turns true only above Capacity plus twice its square root: 1 %
// above a Capacity of 40,000, and 6 % above one of 1,000.
func (g *growing) Full() bool {
	// The estimate's standard deviation is below the square root of the number of keys: 0.4 times at
	// 10 bits per key.
	capacity := float64(g.capacity)
	return g.EstimatedKeys() > capacity+2*math.Sqrt(capacity)
}

// PredictedFPR returns the false-positive rate to expect when the filter has the given number
// of different keys. It is 0 without keys. It costs about ten microseconds, and far beyond
// Capacity up to a millisecond.
func (g *growing) PredictedFPR(keys int) float64 {
	if keys <= 0 {
		return 0
	}
	g.kernel.CheckOpen()
	return g.growth().PredictedFPR(uint64(len(g.kernel.Body())), g.kernel.Shape().Probes, uint64(keys))
}

// EstimatedKeys returns the number of different keys that were added, computed from the
// bits that are set. Its standard deviation is below the square root of the number. It is
// +Inf if all bits are set.
//
// It reads the whole filter, at a few nanoseconds a cache line.
func (g *growing) EstimatedKeys() float64 {
	g.kernel.CheckOpen()
	set := uint64(0)
	formats.EachPiece(&g.kernel, func(piece []byte) { set += rates.SetBits(piece) })
	return g.growth().EstimatedKeys(set, uint64(len(g.kernel.Body())), g.kernel.Shape().Probes)
}

// Reset removes all keys. A key that is being added to a Concurrent meanwhile may be lost, wholly or in part;
// either way it is no longer found.
func (g *growing) Reset() { g.kernel.Clear() }

// AddHashes adds keys by their hashes. It is the fastest way to add eight keys or more: their
// cache misses overlap.
func (g *growing) AddHashes(hashes []uint64) { g.kernel.AddAll(hashes) }

// AddKeys adds keys. It hashes and adds many at a time.
func (g *growing) AddKeys(keys [][]byte) { g.kernel.AddKeys(keys) }

// AddUint64s adds keys of 8 little-endian bytes each. It hashes and adds many at a time. For a []int64 or other numbers of 8
// bytes call AddColumn(keyhash.Values(values)), which adds the same keys.
func (g *growing) AddUint64s(values []uint64) { g.AddColumn(keyhash.Values(values)) }

// AddColumn adds the values of a column that are not null. It hashes and adds many at a time.
func (g *growing) AddColumn(column keyhash.Column) {
	var hashes [batches.Block]uint64
	for n := column.Len(); n > 0; n = column.Len() {
		n = min(len(hashes), n)
		g.kernel.AddAll(g.hash.AppendColumn(hashes[:0], column.Slice(0, n)))
		column = column.Slice(n, column.Len())
	}
}

// union adds the keys of another filter.
func (g *growing) union(other *growing) error {
	a, b := &g.kernel, &other.kernel
	switch {
	case g.format != other.format:
		return fmt.Errorf("filters of the formats %v and %v have no union", g.format, other.format)
	case len(a.Body()) != len(b.Body()):
		return fmt.Errorf("filters of %d and %d bytes have no union: their sizes differ", len(g.data), len(other.data))
	case a.Shape().Probes != b.Shape().Probes:
		return fmt.Errorf("filters of %d and %d probes have no union: their bits per key differ", a.Shape().Probes, b.Shape().Probes)
	case g.hash != other.hash && g.hash.Name() == other.hash.Name():
		return fmt.Errorf("filters of two key hashes named %s have no union: keyhash.New was called twice", g.hash.Name())
	case g.hash != other.hash:
		return fmt.Errorf("filters of the key hashes %s and %s have no union", g.hash.Name(), other.hash.Name())
	}
	a.Unite(b)
	return nil
}

func (g *growing) unmarshal(data []byte, shared bool) error {
	file, err := stored.Copy(data)
	if err == nil {
		err = g.take(file, shared)
	}
	return wrap(err)
}

func (g *growing) readFrom(r io.Reader, shared bool) (n int64, err error) {
	file, n, err := stored.ReadAll(r)
	if err == nil {
		err = g.take(file, shared)
	}
	return n, wrap(err)
}

// take makes g the filter in a file, whose memory it keeps.
func (g *growing) take(file stored.File, shared bool) error {
	format, hash, err := formats.ParseName(file.Format, g.hash)
	if err != nil {
		return err
	}
	if _, err = formats.GrowthOf(format); err == nil {
		err = checkHash(Format(format), hash)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	made, err := openGrowing(Format(format), file.Body, file.BitsPerKey, hash, shared)
	if err != nil {
		return err
	}
	g.abandon()
	*g = made
	return nil
}

// abandon sets all bits of the memory, which g gives up. Copies that somebody made of g by value, or of its Filter, still look up
// in it: they may then contain every key, and miss none that is added to g.
func (g *growing) abandon() {
	body := g.kernel.Body()
	for i := range body {
		body[i] = 0xff
	}
}
