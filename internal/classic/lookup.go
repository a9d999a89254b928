package classic

// Group is the number of keys that are looked up together. Their numbers fit a byte.
const Group = 256

// largeChunk is the number of keys of a large filter whose bits are tested before the places of their next probes are
// computed.
const largeChunk = 32

// Lookup looks up a group of keys: one probe of all that are left, then the next one. In a large filter, it
// prefetches the lines of the next probe while it tests the bits of other keys:
//
//	l.Begin(bits, n) // Keys has n numbers of keys
//	for probe := 0; probe < k && l.Next(); probe++ {
//		for keys, at := l.Some(); len(keys) > 0; keys, at = l.Some() {
//			// write the places of this probe of the keys to at
//			l.Ahead(at)
//		}
//	}
//	// the keys Found() may be contained
//
// It needs no memory but its own, which can be on the stack.
type Lookup struct {
	Keys [Group]uint8

	bits   *Bits
	chunk  int
	first  bool // no places are known yet
	left   int  // the number of keys before this probe,
	tested int  // of these whose places of the probe before were tested,
	kept   int  // and of these that are left
	at     [Group]uint64
	loaded [Group]byte
}

// Begin begins with the first n of Keys.
func (l *Lookup) Begin(bits *Bits, n int) {
	l.bits, l.first, l.left, l.kept = bits, true, 0, n
}

// Next begins the next probe, and reports whether any keys are left.
func (l *Lookup) Next() bool {
	l.first = l.first && l.left == 0
	l.left, l.tested, l.kept = l.kept, 0, 0
	l.chunk = Group
	if l.bits.inChunks() {
		l.chunk = largeChunk
	}
	return l.left > 0
}

// Some returns keys that are left, and where the places of their probe belong. It returns no keys if it has
// returned all.
func (l *Lookup) Some() (keys []uint8, at []uint64) {
	from := l.kept
	for l.tested < l.left && l.kept == from {
		to := min(l.left, l.tested+l.chunk)
		if l.first {
			l.kept = to
		} else {
			loaded, places := l.loaded[:to-l.tested], l.at[l.tested:to]
			if l.tested == 0 {
				l.bits.loadTimed(loaded, places, l.at[to:l.left])
			} else {
				load(loaded, l.bits.words, places)
			}
			l.kept += keep(l.Keys[l.kept:], l.Keys[l.tested:to], loaded, places)
		}
		l.tested = to
	}
	return l.Keys[from:l.kept], l.at[from:l.kept]
}

// Ahead prefetches the lines, or pages, with the bits at the given places.
func (l *Lookup) Ahead(at []uint64) { l.bits.ahead(at) }

// Found returns the keys all of whose bits are set.
func (l *Lookup) Found() []uint8 {
	l.Next()
	for keys, _ := l.Some(); len(keys) > 0; keys, _ = l.Some() {
	}
	return l.Keys[:l.kept]
}

// load loads the bytes that have the bits at the given places. It is a loop of its own, without branches on
// the bytes, so that the processor has many loads under way.
func load(loaded, words []byte, at []uint64) {
	loaded = loaded[:len(at)]
	for i, bit := range at {
		loaded[i] = words[bit/8]
	}
}

// keep writes to left the keys whose bit, in the byte that was loaded, is set. It returns their number. Left may
// be where the keys are, or before it.
func keep(left, keys []uint8, loaded []byte, at []uint64) int {
	n := 0
	loaded, at = loaded[:len(keys)], at[:len(keys)]
	for j, i := range keys {
		left[n] = i
		n += int(loaded[j] >> (at[j] % 8) & 1)
	}
	return n
}
