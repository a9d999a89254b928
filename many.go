package simdbloom

import (
	"iter"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
)

// AppendFilters appends to dst the index of every filter that may contain the key with
// the given hash, in ascending order, and returns the extended slice. All filters must
// have the key hash that the hash comes from: others would lose keys. They may be of any Format. It panics if a
// filter is nil. It allocates only if dst is too small. Any number of goroutines may
// look up in the same filters.
//
// It is a loop of ContainsHash that overlaps the cache misses of 16 large filters or more: in 64 filters of
// 1 MiB it needs two thirds of the time. A loop that stops at the filter whose table has the key may be
// faster.
//
// To look up many keys, use [Candidates]. Package sliced has the same answers for thousands of filters in a hundredth
// of the time.
func AppendFilters(dst []int, filters []*Filter, hash uint64) []int {
	if len(filters) >= fewestPrefetched && areFar(filters) {
		return appendFar(dst, filters, hash)
	}
	for i, f := range filters {
		if f.ContainsHash(hash) {
			dst = append(dst, i)
		}
	}
	return dst
}

// Lines of fewestPrefetched filters and more are prefetched, those of groupFilters at a time, if together they
// are farther than those of a batch in one filter are. With fewer, the processor's own reordering is enough.
// Small filters gain nothing, because prefetching reads their headers twice.
//
// Shares of the loop's time with prefetching (FastLocal, 10 bits per key, AVX-512, Emerald Rapids, L2 2 MiB):
//
//	100,000 filters of 133 bytes   1.66
//	100,000 filters of 1.3 KB      0.82
//	  1,000 filters of 13 KB       1.08
//	 10,000 filters of 13 KB       0.80
//	     16 filters of 1.2 MB      1.01
//	     64 filters of 1.2 MB      0.70
const (
	fewestPrefetched = 16
	groupFilters     = 64
	leastPrefetched  = 1 << 10 // bytes of a filter
	farther          = 4       // times as far as for batches
)

// areFar judges by the last filter, since a store's later levels are larger.
func areFar(filters []*Filter) bool {
	last := filters[len(filters)-1]
	return len(last.data) >= leastPrefetched && last.kernel.IsFarAmong(len(filters)/farther)
}

func appendFar(dst []int, filters []*Filter, hash uint64) []int {
	for base := 0; base < len(filters); base += groupFilters {
		group := filters[base:min(base+groupFilters, len(filters))]
		prefetchGroup(group, hash, len(filters)/farther)
		dst = appendGroup(dst, group, base, hash)
	}
	return dst
}

// prefetchGroup asks for the hash's lines in a group, as if it were of the given number of filters.
func prefetchGroup(group []*Filter, hash uint64, filters int) {
	hashes := [1]uint64{hash}
	for _, f := range group {
		if f.kernel.IsFarAmong(filters) {
			f.kernel.Prefetch(hashes[:])
		}
	}
}

// appendGroup is a function by itself because all variables are saved at every call of a kernel. Without a Lookup that
// is inlined here, the compiler would inline none in other packages: TestLookupsAreInlined.
func appendGroup(dst []int, group []*Filter, base int, hash uint64) []int {
	for i, f := range group {
		if has := f.Lookup(); has(hash) {
			dst = append(dst, base+i)
		}
	}
	return dst
}

// Candidates looks up many keys in many filters, one filter after the other, without
// the keys that the caller has found in the meantime. It returns an iterator over the
// filters that may contain some of the keys: it yields the index of the filter, and the
// indexes of the keys' hashes, both in ascending order.
//
// Hash i is wanted while bit i%64 of wanted[i/64] is set, and only wanted hashes are
// looked up. The body of the loop over Candidates clears the bits of keys that need no
// further filter, because it found them or for any other reason. It must not set bits.
// The iteration ends after the last filter, or as soon as no hash is wanted. The bits
// that are still set after the last filter belong to keys that were not found. Bits
// beyond the last hash are ignored.
//
// Hashes of numbers and strings in columns come from AppendColumn of [keyhash.Hash], and ValidBits
// of [keyhash.Column] makes all that are not null wanted.
//
// The yielded slice is valid until the next step; the caller may change it. All filters
// must have the key hash that the hashes come from: others would lose keys. They may be of any Format. Candidates
// panics if wanted has less than a bit for each hash, and the iteration panics if a
// filter is nil. Any number of goroutines may look up in the same filters, each with its
// own bitmap.
//
// 1024 keys in 8 filters of 1 MiB take a quarter of the time of ContainsHash for key
// after key, and in 64 filters an eighth; 8 keys in 64 filters take half. For one key
// [AppendFilters] is faster. Candidates allocates the yielded slice, and for more than
// 64 hashes up to 17 bytes for each.
func Candidates(filters []*Filter, hashes, wanted []uint64) iter.Seq2[int, []int] {
	checkWanted(hashes, wanted)
	return func(yield func(int, []int) bool) { candidates(filters, hashes, wanted, yield) }
}

// candidates is Candidates' iteration.
func candidates(filters []*Filter, hashes, wanted []uint64, yield func(int, []int) bool) {
	if len(hashes) == 1 {
		candidatesOfOne(filters, hashes[0], wanted, yield)
	} else if areFew(filters, hashes) {
		candidatesOneByOne(filters, hashes, wanted, yield)
	} else if len(hashes) <= fewWanted {
		var room wantedMemory
		w := newWanted(hashes, wanted, &room)
		candidatesOf(&w, filters, yield)
	} else {
		w := newWanted(hashes, wanted, nil)
		candidatesOf(&w, filters, yield)
	}
}

// candidatesOf looks up the wanted hashes in one filter after the other. It prefetches
// their lines in the next filters, LinesAhead lines or one filter at a time.
// So even a few keys, whose lines in one filter are few, have many lines under way.
func candidatesOf(w *wantedHashes, filters []*Filter, yield func(int, []int) bool) {
	if !w.Update() {
		return
	}
	var found []int
	prefetched := 0
	for i, f := range filters {
		hashes := w.Hashes()
		first := hashes[:min(asm.LinesAhead, len(hashes))]
		for ; prefetched < min(i+2+asm.LinesAhead/len(hashes), len(filters)); prefetched++ {
			if next := &filters[prefetched].kernel; next.IsFarAmong(len(filters)) {
				next.Prefetch(first)
			}
		}
		f.kernel.ContainsBitsAmong(len(filters), hashes, w.words)
		found = w.AppendCandidates(found[:0])
		if len(found) > 0 && !(yield(i, found) && w.Update()) {
			return
		}
	}
}

// areFew reports whether batches of so few hashes take longer than lookups of one after the other: 1.1 to 8 times as
// long up to seven hashes, and with eight in up to eight filters. From four hashes on, prefetching many far filters
// pays: four take half as long in 1,000 filters of 13 KB (Emerald Rapids).
func areFew(filters []*Filter, hashes []uint64) bool {
	switch n := len(hashes); {
	case n == 0 || n > 8:
		return false
	case n < 4 || len(filters) <= 8:
		return true
	default:
		return n < 8 && (len(filters) <= groupFilters || !filters[len(filters)-1].kernel.IsFarAmong(len(filters)))
	}
}

// candidatesOfOne is Candidates of one hash.
func candidatesOfOne(filters []*Filter, hash uint64, wanted []uint64, yield func(int, []int) bool) {
	var found []int
	if wanted[0]&1 == 0 {
		return
	}
	for i, f := range filters {
		if f.ContainsHash(hash) {
			if found = append(found[:0], 0); !yield(i, found) || wanted[0]&1 == 0 {
				return
			}
		}
	}
}

// candidatesOneByOne is Candidates of 1 to 64 hashes.
func candidatesOneByOne(filters []*Filter, hashes, wanted []uint64, yield func(int, []int) bool) {
	var found []int
	all := ^uint64(0) >> (64 - len(hashes))
	for i, f := range filters {
		left := wanted[0] & all
		switch left {
		case 0:
			return
		case all:
			left = f.containsEach(hashes)
		default:
			left = f.containsSome(hashes, left)
		}
		if left == 0 {
			continue
		}
		for found = found[:0]; left != 0; left &= left - 1 {
			found = append(found, bits.TrailingZeros64(left))
		}
		if !yield(i, found) {
			return
		}
	}
}

// containsEach returns the answers for up to 64 hashes, a bit each. Like containsSome, it is a function by itself
// because all variables are saved at every lookup.
func (f *Filter) containsEach(hashes []uint64) (answers uint64) {
	for i, hash := range hashes {
		if f.ContainsHash(hash) {
			answers |= 1 << i
		}
	}
	return answers
}

// containsSome is containsEach of the hashes whose bits are set.
func (f *Filter) containsSome(hashes []uint64, some uint64) (answers uint64) {
	for ; some != 0; some &= some - 1 {
		if f.ContainsHash(hashes[bits.TrailingZeros64(some)]) {
			answers |= some & -some
		}
	}
	return answers
}
