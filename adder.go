package simdbloom

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// adder is shared by Mutable and Concurrent: a filter over memory of its own, to which keys are
// added. Its kernel knows whether the memory is shared.
type adder struct {
	Filter
	capacity uint64   // keys
	_        [56]byte // makes it 448 bytes, which Go allocates at cache lines: see the test
}

func newAdder(format Format, keys int, bitsPerKey float64, hash keyhash.Hash, shared bool, options []Option) (adder, error) {
	of, err := formats.AdderOf(asm.Format(format))
	if err == nil {
		err = checkHash(format, hash)
	}
	if err != nil {
		return adder{}, err
	}
	l, o := of.Layout, building.Apply(options)
	millibits, err := l.Millibits(bitsPerKey, o)
	switch {
	case err != nil:
		return adder{}, err
	case o.Verification || o.Concurrency != 1:
		return adder{}, errors.New("WithVerification and WithConcurrency are options of builders only")
	case keys < 0:
		return adder{}, fmt.Errorf("the number of keys must be at least 0, not %d", keys)
	}
	hashes := uint64(max(keys, 1))
	body, probes := l.Size(hashes, millibits, o.Limit)
	if body != l.BodyBytes(hashes, millibits) {
		const least = 1000
		millibits = max(building.RealMillibits(body, hashes), least)
	}
	beside := uint64(l.Beside())
	size, err := building.CheckSize(keys, body+beside, body <= l.MaxBodyBytes, aligned.Slack)
	if err != nil {
		most := l.KeysFor(uint64(min(l.MaxBodyBytes+beside, math.MaxInt-aligned.Slack)), millibits)
		return adder{}, fmt.Errorf("%w: at %v bits per key a filter has room for %d keys; put the keys into several filters by their hashes", err, bitsPerKey, most)
	}
	data := aligned.Make(size)
	of.Frame(data, probes)
	made := adderOver(of, format, data, int(body), probes, hash, shared)
	made.madeWith(millibits, true)
	return made, nil
}

// openAdder returns the filter of stored bytes, whose memory becomes its own. It was made with the given bits per
// key, or 0 if that is unknown.
func openAdder(format Format, data []byte, bitsPerKey float64, hash keyhash.Hash, shared bool) (adder, error) {
	of, err := formats.AdderOf(asm.Format(format))
	if err == nil {
		err = checkHash(format, hash)
	}
	if err != nil {
		return adder{}, err
	}
	c, err := formats.ReaderOf(asm.Format(format)).Read(data)
	switch {
	case err != nil:
		return adder{}, err
	case c.Format == asm.Empty:
		return adder{}, errors.New("an empty filter has no room for keys: make a new one")
	case c.Body == nil:
		_, err := formats.AdderOf(c.Format)
		return adder{}, err
	}
	made := adderOver(of, format, data, len(c.Body), c.Probes, hash, shared)
	if millibits, err := building.Millibits(bitsPerKey); err == nil {
		made.madeWith(millibits, true)
	} else {
		made.madeWith(of.Millibits(c.Probes), false)
	}
	return made, nil
}

// adderOver returns the filter whose bytes are data.
func adderOver(of *formats.Adder, format Format, data []byte, body, probes int, hash keyhash.Hash, shared bool) adder {
	return adder{Filter: Filter{
		kernel: adderKernel(of, data, body, probes, hash, shared), hash: hash, data: data,
		named: format, reader: format, format: format,
	}}
}

// adderKernel prepares the body of a filter's bytes, which has the given size, for lookups and for adding.
func adderKernel(of *formats.Adder, data []byte, body, probes int, hash keyhash.Hash, shared bool) asm.Kernel {
	k := of.NewKernel(of.Body(data, body), probes, shared)
	hashBy(&k, hash)
	k.EnableAdd()
	return k
}

// madeWith sets the capacity by the bits per key that the filter was made with, in thousandths. If they are known, they
// are stored.
func (a *adder) madeWith(millibits int, known bool) {
	if known {
		a.millibits = int32(millibits)
	}
	a.capacity = a.formatAdder().Layout.KeysFor(uint64(len(a.data)), millibits)
}

// formatAdder returns the functions of the filter's format.
func (a *adder) formatAdder() *formats.Adder {
	of, _ := formats.AdderOf(asm.Format(a.format))
	return of
}

// clone returns a filter over a copy of the memory.
func (a *adder) clone() adder {
	if a.hash.IsZero() {
		return adder{}
	}
	c := *a
	c.data = a.copy()
	c.prepareAgain(len(a.kernel.Body()))
	return c
}

// prepareAgain prepares the filter's body, which has the given size.
func (a *adder) prepareAgain(body int) {
	shape := a.kernel.Shape()
	a.kernel = adderKernel(a.formatAdder(), a.data, body, shape.Probes, a.hash, shape.Shared)
}

// Snapshot returns an immutable filter over a copy of the bytes as they are now. Of keys that are
// being added to a Concurrent meanwhile, it has some bits, or none.
func (a *adder) Snapshot() *Filter { return a.CopyAligned() }

// Capacity returns the number of keys for which the filter has the bits per key that it was made with:
// since sizes are whole blocks, the number that it was made for or a few more.
//
// MarshalBinary, MarshalText and WriteTo record the bits per key. The filter's own bytes, for [OpenMutable], do not:
// then Capacity assumes the fewest at which RocksDB would choose this number of probes, 8.301 for 6, and 10 for
// SplitBlock.
func (a *adder) Capacity() int { return int(min(a.capacity, math.MaxInt)) }

// Full reports whether more keys were added than the filter has Capacity for, so that its
// false-positive rate is above PredictedFPR of that number. Nothing fails then: the filter
// still accepts keys, and the rate rises.
//
// It compares EstimatedKeys with Capacity, and costs as much as EstimatedKeys: do not call it
// for every key. Because EstimatedKeys is not exact, Full turns true only above Capacity plus twice its square root: 1
// % above a Capacity of 40,000, and 6 % above one of 1,000.
func (a *adder) Full() bool {
	// The estimate's standard deviation is below the square root of the number of keys: 0.4 times at
	// 10 bits per key.
	capacity := float64(a.capacity)
	return a.EstimatedKeys() > capacity+2*math.Sqrt(capacity)
}

// PredictedFPR returns the false-positive rate to expect when the filter has the given number
// of different keys. It is 0 without keys. It costs about ten microseconds, and far beyond
// Capacity up to a millisecond.
func (a *adder) PredictedFPR(keys int) float64 {
	if keys <= 0 {
		return 0
	}
	a.kernel.CheckOpen()
	return a.formatAdder().PredictedFPR(uint64(len(a.kernel.Body())), a.kernel.Shape().Probes, uint64(keys))
}

// EstimatedKeys returns the number of different keys that were added, computed from the
// bits that are set. Its standard deviation is below the square root of the number. It is
// +Inf if all bits are set.
//
// It reads the whole filter, at a few nanoseconds a cache line.
func (a *adder) EstimatedKeys() float64 {
	a.kernel.CheckOpen()
	set := uint64(0)
	formats.EachPiece(&a.kernel, func(piece []byte) { set += rates.SetBits(piece) })
	return a.formatAdder().EstimatedKeys(set, uint64(len(a.kernel.Body())), a.kernel.Shape().Probes)
}

// Reset removes all keys. A key that is being added to a Concurrent meanwhile may be lost, wholly or in part;
// either way it is no longer found.
func (a *adder) Reset() { a.kernel.Clear() }

// AddHashes adds keys by their hashes. It is the fastest way to add eight keys or more: their
// cache misses overlap.
func (a *adder) AddHashes(hashes []uint64) { a.kernel.AddAll(hashes) }

// AddKeys adds keys. It hashes and adds many at a time.
func (a *adder) AddKeys(keys [][]byte) { a.kernel.AddKeys(keys) }

// AddColumn adds the values of a column that are not null. It hashes and adds many at a time. The values of a []uint64
// or []int64, as AddUint64 adds them, are the column keyhash.Values(values).
func (a *adder) AddColumn(column keyhash.Column) {
	var hashes [batches.Block]uint64
	for n := column.Len(); n > 0; n = column.Len() {
		n = min(len(hashes), n)
		a.kernel.AddAll(a.hash.AppendColumn(hashes[:0], column.Slice(0, n)))
		column = column.Slice(n, column.Len())
	}
}

// addColumnIfAbsent adds values by add, which reports whether a hash is new. A value that the filter contains is not,
// and looking all up first loads their lines together.
func (a *adder) addColumnIfAbsent(column keyhash.Column, added []uint64, add func(hash uint64) bool) {
	n := column.Len()
	batches.CheckBits(n, added)
	var hashes [batches.ColumnBlock]uint64
	var valid, found [batches.ColumnBlock / 64]uint64
	for from := 0; from < n; from += len(hashes) {
		part := column.Slice(from, min(from+len(hashes), n))
		all := a.hash.AppendColumn(hashes[:0], part.WithValidity(nil, 0))
		a.kernel.ContainsBits(all, found[:])
		part.ValidBits(valid[:])
		for w := range asm.Words(len(all)) {
			isNew := uint64(0)
			for absent := valid[w] &^ found[w]; absent != 0; absent &= absent - 1 {
				if i := bits.TrailingZeros64(absent); add(all[64*w+i]) {
					isNew |= 1 << i
				}
			}
			added[w] = isNew
		}
		added = added[asm.Words(len(all)):]
	}
}

// union adds the keys of another filter.
func (a *adder) union(other *adder) error {
	to, from := &a.kernel, &other.kernel
	switch {
	case a.format != other.format:
		return fmt.Errorf("filters of the formats %v and %v have no union", a.format, other.format)
	case len(to.Body()) != len(from.Body()):
		return fmt.Errorf("filters of %d and %d bytes have no union: their sizes differ", len(a.data), len(other.data))
	case to.Shape().Probes != from.Shape().Probes:
		return fmt.Errorf("filters of %d and %d probes have no union: their bits per key differ", to.Shape().Probes, from.Shape().Probes)
	case a.hash != other.hash && a.hash.Name() == other.hash.Name():
		return fmt.Errorf("filters of two key hashes named %s have no union: keyhash.New was called twice", a.hash.Name())
	case a.hash != other.hash:
		return fmt.Errorf("filters of the key hashes %s and %s have no union", a.hash.Name(), other.hash.Name())
	}
	to.Unite(from)
	return nil
}

func (a *adder) unmarshal(data []byte, shared bool) error {
	file, err := stored.Copy(data)
	if err == nil {
		err = a.take(file, shared)
	}
	return wrap(err)
}

func (a *adder) readFrom(r io.Reader, shared bool) (n int64, err error) {
	file, n, err := stored.ReadAll(r)
	if err == nil {
		err = a.take(file, shared)
	}
	return n, wrap(err)
}

// take makes a the filter in a file, whose memory it keeps.
func (a *adder) take(file stored.File, shared bool) error {
	format, hash, err := formats.ParseName(file.Format, a.hash)
	if err != nil {
		return err
	}
	if _, err = formats.AdderOf(format); err == nil {
		err = checkHash(Format(format), hash)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	made, err := openAdder(Format(format), file.Body, file.BitsPerKey, hash, shared)
	if err != nil {
		return err
	}
	a.abandon()
	*a = made
	return nil
}

// abandon sets all bits of the memory, which a gives up. Copies that somebody made of a, or of its Filter, still look
// up in that memory: they may then contain every key, and miss none that is added to a.
func (a *adder) abandon() {
	body := a.kernel.Body()
	for i := range body {
		body[i] = 0xff
	}
}
