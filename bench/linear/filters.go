package main

import (
	"fmt"
	"io"
	"unsafe"

	"github.com/FastFilter/xorfilter"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// A kind is a kind of filter, and builds one after the other.
type kind interface {
	String() string
	build(hashes []uint64) (filter, error) // in memory that the last one had
	plan(keys int) bool                    // or false: there is no planning apart
}

// A filter looks hashes up, some of them a call. Fuse has no calls of several.
type filter interface {
	one(hashes []uint64, hits []bool)
	inBytes(hashes []uint64, hits []bool) bool // each passes the filter's bytes; or false: that is not possible
	calls(of int, hashes []uint64, hits []bool) bool
}

type linearKind struct {
	bitsPerKey float64
	builder    *simdbloom.Builder
	memory     []byte
}

func newLinear(bitsPerKey float64) (*linearKind, error) {
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64, simdbloom.WithConcurrency(1))
	return &linearKind{bitsPerKey: bitsPerKey, builder: b}, err
}

func (k *linearKind) String() string { return fmt.Sprintf("Linear, %v bits/key", k.bitsPerKey) }

func (k *linearKind) build(hashes []uint64) (filter, error) {
	k.builder.AddHashes(hashes)
	return k.finish()
}

// buildPieces builds a filter of the first keys, without a list of all, and returns the time of AddHashes and of the
// rest, in ns a key.
func (k *linearKind) buildPieces(keys int, stderr io.Writer, work string) (f filter, ns float64, err error) {
	var watch timing.Stopwatch
	piece := make([]uint64, 1<<16)
	bar := progress.Start(stderr, work, keys/len(piece))
	defer bar.Done()
	for from := 0; from < keys; from += len(piece) {
		piece = piece[:min(len(piece), keys-from)]
		fillHashes(piece, from)
		watch.Time(func() { k.builder.AddHashes(piece) })
		bar.Add(1)
	}
	watch.Time(func() { f, err = k.finish() })
	return f, watch.PerKey(uint64(keys)), err
}

func (k *linearKind) finish() (filter, error) {
	data, err := k.builder.AppendFinish(k.memory[:0])
	if err != nil {
		return nil, err
	}
	k.memory = data
	f, err := linear.Open(data, keyhash.XX64)
	return &linearFilter{f, data}, err
}

func (k *linearKind) plan(keys int) bool {
	n := uint64(keys)
	_, _ = plans.Within(n, plans.Asked(n, uint64(1000*k.bitsPerKey)), plans.MaxLines, plans.UsualLoad)
	return true
}

type linearFilter struct {
	*simdbloom.Filter
	data []byte
}

func (f *linearFilter) one(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.ContainsHash(hash)
	}
}

func (f *linearFilter) inBytes(hashes []uint64, hits []bool) bool {
	for i, hash := range hashes {
		hits[i] = linear.MayContainHash(f.data, hash)
	}
	return true
}

func (f *linearFilter) calls(of int, hashes []uint64, hits []bool) bool {
	for len(hashes) > 0 {
		n := min(of, len(hashes))
		f.ContainsHashes(hashes[:n], hits[:n])
		hashes, hits = hashes[n:], hits[n:]
	}
	return true
}

type fuseKind[T xorfilter.Unsigned] struct{ builder xorfilter.BinaryFuseBuilder }

func (k *fuseKind[T]) String() string {
	var fingerprint T
	return fmt.Sprintf("binary fuse %d", 8*unsafe.Sizeof(fingerprint))
}

func (k *fuseKind[T]) build(hashes []uint64) (filter, error) {
	f, err := xorfilter.BuildBinaryFuse[T](&k.builder, hashes)
	return &fuseFilter[T]{f}, err
}

func (k *fuseKind[T]) plan(int) bool { return false }

type fuseFilter[T xorfilter.Unsigned] struct{ xorfilter.BinaryFuse[T] }

// newFuse returns a filter as large as that of the given number of keys, without these: building it would take more
// memory than most machines have. Its lookups do not depend on what it has.
func newFuse[T xorfilter.Unsigned](keys int) *fuseFilter[T] {
	segment, segments := fuseSegments(keys)
	f := xorfilter.BinaryFuse[T]{
		Seed: 1, SegmentLength: uint32(segment), SegmentLengthMask: uint32(segment) - 1, SegmentCount: uint32(segments),
		SegmentCountLength: uint32(segment * segments), Fingerprints: make([]T, int(segment*(segments+2))),
	}
	for i := range f.Fingerprints {
		f.Fingerprints[i] = T(splitmix.Value(seed, uint64(i)))
	}
	return &fuseFilter[T]{f}
}

func (f *fuseFilter[T]) one(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.Contains(hash)
	}
}

func (f *fuseFilter[T]) inBytes([]uint64, []bool) bool    { return false }
func (f *fuseFilter[T]) calls(int, []uint64, []bool) bool { return false }
