package vectors

import "math"

// Linear is one filter of package linear's format, written by a program that shares no
// code with this repository.
type Linear struct {
	Kind       string // how Hashes makes the hashes
	N          int
	BitsPerKey float64
	Seed       uint64
	R          int // bits of a fingerprint in sections B
	J          int // the cut between sections A and B
	Layers     int // how many
	Len        int `json:"bytes"`
	SHA256     Hex
	Bytes      Hex   `json:"hex"` // only of short ones
	Asked      int   // hashes that were not added
	Hits       []int // the first 64 of them that may be present
	HitCount   int   // how many there are
}

// LinearFilters returns filters of package linear's format.
func LinearFilters() []Linear { return load[[]Linear]("linear.json") }

// Millibits returns the bits per key in thousandths.
func (l Linear) Millibits() uint64 { return uint64(math.Round(l.BitsPerKey * 1000)) }

// Hashes returns the hashes that were added.
func (l Linear) Hashes() []uint64 {
	hashes := Hashes(l.Seed, l.N)
	for i := range hashes {
		switch l.Kind {
		case "random":
		case "doubled":
			hashes[i] = hashes[i%(l.N/2)]
		case "oneline":
			hashes[i] = Unmixed(hashes[i]&^0xffffffff | 7)
		case "onerow":
			hashes[i] = Unmixed(hashes[i]&0xffffffff | 7<<32)
		default:
			panic("vectors: unknown kind of hashes " + l.Kind)
		}
	}
	return hashes
}

// Unmixed returns the hash that a linear filter mixes into x.
func Unmixed(x uint64) uint64 {
	x *= 0x4f74430c22a54005
	return x ^ x>>32
}

// Absent returns the hashes that were asked but not added.
func (l Linear) Absent() []uint64 { return Hashes(l.Seed+1_000_000, l.Asked) }
