package building

import "math"

// Layout is where things lie in the filters of a format whose keys have one block each: in a header, blocks and a
// trailer.
type Layout struct {
	BlockBytes   uint64 // of a block: a hash in a list, mixed if the log mixes them, belongs to the one of [fallback.Block]
	MaxBodyBytes uint64 // of the largest body, the blocks, that the format allows
	HeaderBytes  int    // before the body
	TrailerBytes int    // behind it

	// NumProbes returns the number of probes that suits bits per key in thousandths.
	NumProbes func(millibits int) int

	// Frame writes the header or the trailer into the bytes of a filter, or is nil if there is neither. Blocks depend
	// on each other in units of the given number.
	Frame func(data []byte, unitBlocks, probes int)
}

// Beside returns the size of the header and the trailer.
func (l *Layout) Beside() int { return l.HeaderBytes + l.TrailerBytes }

// Millibits returns the bits per key, in thousandths, of a builder that has the options, or an error for options that
// the format does not have.
func (l *Layout) Millibits(bitsPerKey float64, o *Options) (int, error) {
	err := o.Check(GivenSizeBytes, int(l.BlockBytes)+l.Beside())
	if err == nil {
		err = o.Limit.CheckUnits(l.BlockBytes, l.MaxBodyBytes, l.Beside())
	}
	if err != nil {
		return 0, err
	}
	return Millibits(bitsPerKey)
}

// BodyBytes returns the size of the body for the given number of hashes, whether the format allows it or not.
func (l *Layout) BodyBytes(hashes uint64, millibits int) uint64 {
	bytes := (TotalMillibits(hashes, millibits) + 7999) / 8000
	return (bytes + l.BlockBytes - 1) / l.BlockBytes * l.BlockBytes
}

// Size returns the size of the body of a filter of the given number of hashes, and its number of probes: as large as
// the bits per key require, or, if the limit is below that, as large as it allows, with the number of probes that suits
// the bits per key that are left. The format allows MaxBodyBytes. An exact limit is the size whatever the bits per key.
func (l *Layout) Size(hashes uint64, millibits int, limit Limit) (body uint64, probes int) {
	body = l.BodyBytes(hashes, millibits)
	if most := limit.Body(l.BlockBytes, l.MaxBodyBytes, l.Beside()); body > most || limit.Exact() {
		return most, l.NumProbes(RealMillibits(most, hashes))
	}
	return body, l.NumProbes(millibits)
}

// KeysFor returns the number of keys that a filter of the given size, with all that is beside the body, has room for
// (RocksDB's FastLocalBloomBitsBuilder::ApproximateNumEntries).
func (l *Layout) KeysFor(bytes uint64, millibits int) uint64 {
	beside := uint64(l.Beside())
	body := min(max(bytes, beside)-beside, l.MaxBodyBytes) / l.BlockBytes * l.BlockBytes
	return 8000 * body / uint64(millibits)
}

// Keys is KeysFor of the format's package: 0 for bits per key that a builder refuses.
func (l *Layout) Keys(bytes int, bitsPerKey float64) int {
	millibits, err := Millibits(bitsPerKey)
	if err != nil {
		return 0
	}
	return int(min(l.KeysFor(uint64(max(bytes, 0)), millibits), math.MaxInt))
}

// Scheme returns the [Scheme] of filters whose blocks fill fills.
func (l *Layout) Scheme(bitsPerKey float64, o *Options, fill func(body []byte, part Part, f Format)) (Scheme, error) {
	millibits, err := l.Millibits(bitsPerKey, o)
	limit := o.Limit
	return NewBlocks(func(hashes uint64) Format {
		body, probes := l.Size(hashes, millibits, limit)
		return l.Format(body, probes, fill)
	}, o), err
}

// Format returns the format of a filter whose body has the given size, which the layout has or not.
func (l *Layout) Format(body uint64, probes int, fill func(body []byte, part Part, f Format)) Format {
	return Format{Layout: *l, BodyBytes: body, UnitBlocks: 1, Probes: probes, NearBytes: UsualNearBytes, Fill: fill}
}
