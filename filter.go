package simdbloom

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter tells which keys may be among those that it was built from. It is of any [Format]: Open of
// a format's package returns it, and so do [OpenNamed], [Builder.Filter], and policies.
//
// Apart from UnmarshalBinary, UnmarshalText and ReadFrom, which replace it, a Filter is immutable: any number
// of goroutines may use it at once. Queries allocate nothing, except AppendHits and AppendColumnHits if dst is
// too small. The zero Filter has no bytes, and its queries panic until one of these three fills it.
type Filter struct {
	kernel    asm.Kernel // first: a lookup of one key reads its first cache line
	hash      keyhash.Hash
	data      []byte
	file      *stored.File // that the bytes are from, or nil; it keeps them mapped
	named     Format       // format in the recorded name
	reader    Format       // format whose reader accepted the bytes
	format    Format       // format of the bytes
	millibits int32        // thousandths of bits per key that a Mutable or Concurrent was made with, or 0
	// Three whole cache lines, which Go allocates at cache lines: see the test.
}

// Contains reports whether the key may have been added. False means that it was not.
//
// It costs one hash of the key plus one ContainsHash.
func (f *Filter) Contains(key []byte) bool { return f.first().ContainsKey(key) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.Contains(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// ContainsUint64 is Contains of the value's 8 little-endian bytes.
func (f *Filter) ContainsUint64(value uint64) bool {
	if f.kernel.LooksUpKeys() {
		return f.kernel.Contains(f.hash.SumUint64(value))
	}
	kernel, hash := f.ofKeys()
	return kernel.Contains(hash.SumUint64(value))
}

// ContainsHash is Contains of a key by its hash, which [Filter.Hash] must have computed. Use it to look
// up a key in many filters and hash it once. Of 32-bit hashes only the low half is used.
//
// It costs a few nanoseconds if the key's cache lines are cached, otherwise a cache miss for each:
// Paired has two for keys that were added, Linear one for most keys, Ribbon four to nine, LevelDB one for each probe,
// and all others have one.
func (f *Filter) ContainsHash(hash uint64) bool { return f.first().Contains(hash) }

// first returns &f.kernel without comparing f with nil, which would be a load in every lookup: 6 % at 32 MiB (Emerald
// Rapids). Lookups panic in the nil Filter, as in the zero one.
func (f *Filter) first() *asm.Kernel { return (*asm.Kernel)(unsafe.Pointer(f)) }

// Format returns the filter's format. Bytes of a format that Open does not know open as a filter that may contain
// every key.
func (f *Filter) Format() Format { return f.format }

// Hash returns the key hash that hashes are looked up by.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// NumProbes returns the number of bits that a lookup tests: k of a Bloom filter, the columns of a
// Ribbon filter, and 0 for Linear and for filters that give every key the same answer.
func (f *Filter) NumProbes() int {
	return f.kernel.OfKeys().Shape().Probes
}

// BitsPerKey returns the bits per key that [NewMutable] or [NewConcurrent] made the filter with, or that its file
// records, and 0 if they are unknown: a [Builder]'s filters and those of [Open] do not record them.
func (f *Filter) BitsPerKey() float64 {
	if f.file != nil {
		return f.file.BitsPerKey
	}
	return float64(f.millibits) / 1000
}

// SizeBytes returns the number of the filter's bytes.
func (f *Filter) SizeBytes() int { return len(f.data) }

// Bytes returns the filter's bytes, which Open of its format reads again. They record neither the format
// nor the key hash: to store them by themselves, use MarshalBinary or package filterfile.
//
// They are the filter's own memory: do not change them. In a [Mutable] they change as keys are
// added, and all bits are set when it is folded or replaced; of a [Concurrent] Bytes returns a copy.
func (f *Filter) Bytes() []byte {
	if f.kernel.Shape().Shared {
		return f.copy()
	}
	if f.file != nil {
		f.file.Lend()
	}
	return f.data
}

// CopyAligned returns the same filter over a copy of its bytes that begins at a multiple of 64,
// where lookups are fastest: elsewhere, batches take up to 1.5 times as long. From 8 MiB on the copy
// is in huge pages if Linux has any free. The copy is immutable, also of a [Mutable].
func (f *Filter) CopyAligned() *Filter {
	data, file := []byte(nil), (*stored.File)(nil)
	switch {
	case f.hash.IsZero():
		return new(Filter)
	case f.file != nil:
		file = f.file.Copied()
		data = file.Body
	default:
		data = f.copy()
	}
	_, own := f.ofKeys()
	copied, err := openAs(f.reader, f.named, f.batchBlocks(), data, own, file)
	switch {
	case err == nil:
	case file != nil: // another program has changed the mapped file
		same := *f
		return &same
	default:
		panic("simdbloom: the bytes of an open filter were changed: " + err.Error())
	}
	if own != f.hash {
		copied = keysOnly(copied, f.named, f.hash)
	}
	copied.millibits = f.millibits
	return copied
}

// ofKeys returns the kernel that looks up keys, and their hash: see OpenNamed.
func (f *Filter) ofKeys() (*asm.Kernel, keyhash.Hash) {
	switch kernel := f.kernel.OfKeys(); {
	case kernel == &f.kernel:
		return kernel, f.hash
	case f.hash == keyhash.XXPH3:
		return kernel, keyhash.RocksDB32
	default:
		return kernel, keyhash.XXPH3
	}
}

// batchBlocks returns a number of blocks in a batch by whose name the bytes are read as they were.
func (f *Filter) batchBlocks() int {
	if f.format == FastLocal || asm.PairedInDoubt(f.data) && f.kernel.Shape().BatchBlocks != 32 {
		return 0
	}
	return 32
}

// copy returns a copy of the bytes.
func (f *Filter) copy() []byte {
	if !f.kernel.Shape().Shared {
		return aligned.Copy(f.data)
	}
	body := f.kernel.Body()
	data, from := aligned.Make(len(f.data)), formats.Of(asm.Format(f.format)).HeaderBytes
	f.kernel.Read(data[from:from+len(body)], 0)
	copy(data[:from], f.data) // the bytes beside the body never change
	copy(data[from+len(body):], f.data[from+len(body):])
	return data
}

// EstimatedFPR returns the filter's false-positive rate: 0 for an empty filter, 1 for one that may
// contain everything.
//
// It is computed from the bits that are set, for which it reads the whole filter at up to tens of
// nanoseconds a cache line. For Ribbon it follows from the size, for Linear from the headers, a 65th of the bytes. For
// Legacy, where the bits do not determine it, it is sampled with two million lookups, in tens of
// milliseconds: a rate of 1 % is within 1 % of the real one, one of 0.01 % within 10 %. It panics if the filter was not
// opened.
func (f *Filter) EstimatedFPR() float64 {
	kernel := f.kernel.OfKeys()
	kernel.CheckOpen()
	if f.file != nil && f.file.Check() != nil {
		return 1
	}
	rate := formats.EstimatedFPR(kernel)
	runtime.KeepAlive(f)
	return rate
}
