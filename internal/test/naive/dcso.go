package naive

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
)

// DCSO is a filter of DCSO/bloom.
type DCSO struct {
	N, K, M, Keys uint64
	P             float64
	Words         []uint64
	Data          []byte
}

// NewDCSO returns a filter for n keys at rate p.
func NewDCSO(n uint64, p float64) *DCSO {
	m := math.Abs(math.Ceil(float64(n) * math.Log(p) / math.Pow(math.Log(2.0), 2.0)))
	return &DCSO{N: n, P: p, M: uint64(m), K: uint64(math.Ceil(math.Log(2) * m / float64(n))), Words: make([]uint64, (uint64(m)+63)/64)}
}

// Places returns the places of a key's bits by the rule with the given name.
func (f *DCSO) Places(key []byte, rule string) (places []uint64) {
	sum := func(key []byte) *big.Int {
		h := fnv.New64()
		h.Write(key)
		return new(big.Int).SetUint64(h.Sum64())
	}
	number := func(text string) *big.Int {
		x, _ := new(big.Int).SetString(text, 10)
		return x
	}
	whole := number("18446744073709551616")
	prime, multiplier := number("18446744073709551557"), number("18446744073709550147")
	first, second := sum(key), sum(append(append([]byte{}, key...), "this-is-magical"...))
	x := new(big.Int).Set(first)
	if rule == "multiply" {
		x.Mod(x, prime)
	}
	for i := range f.K {
		switch rule {
		case "multiply":
			x.Mod(x.Mul(x, multiplier), whole)
			x.Mod(x, prime)
		case "multiply-wide":
			x.Mod(x.Mul(x, multiplier), prime)
		case "added":
			x.Mod(x.Add(x, new(big.Int).Mul(x, new(big.Int).SetUint64(i))), whole)
		case "seeded":
			x.Mul(second, new(big.Int).SetUint64(i+1))
			x.Mod(x.Add(x, first), whole)
		}
		places = append(places, new(big.Int).Mod(x, new(big.Int).SetUint64(f.M)).Uint64())
	}
	return places
}

// Add adds a key.
func (f *DCSO) Add(key []byte, rule string) {
	isNew := false
	for _, bit := range f.Places(key, rule) {
		isNew = isNew || f.Words[bit/64]>>(bit%64)&1 == 0
		f.Words[bit/64] |= 1 << (bit % 64)
	}
	if isNew {
		f.Keys++
	}
}

// Contains looks a key up.
func (f *DCSO) Contains(key []byte, rule string) bool {
	for _, bit := range f.Places(key, rule) {
		if f.Words[bit/64]>>(bit%64)&1 == 0 {
			return false
		}
	}
	return true
}

// Append appends the filter's bytes: with the header of all versions but the oldest, or with that.
func (f *DCSO) Append(dst []byte, oldest bool) []byte {
	if oldest {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(f.N))
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f.P))
		for _, x := range []uint64{f.K, f.M, f.Keys} {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
		}
	} else {
		for _, x := range []uint64{1, f.N, math.Float64bits(f.P), f.K, f.M, f.Keys} {
			dst = binary.LittleEndian.AppendUint64(dst, x)
		}
	}
	for _, word := range f.Words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return append(dst, f.Data...)
}

// ReadDCSO reads what Append appended without the oldest header, as the original does. It returns nil if the bytes are
// too few or of another version. The original would panic in a lookup if m is 0.
func ReadDCSO(data []byte) *DCSO {
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	if len(data) < 48 || number(0)&0xff != 1 {
		return nil
	}
	f := &DCSO{N: number(1), P: math.Float64frombits(number(2)), K: number(3), M: number(4), Keys: number(5)}
	for data = data[48:]; uint64(len(f.Words))*64 < f.M; data = data[8:] {
		if len(data) < 8 {
			return nil
		}
		f.Words = append(f.Words, number(0))
	}
	f.Data = data
	return f
}
