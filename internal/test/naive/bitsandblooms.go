package naive

import (
	"encoding/binary"
	"math/bits"
)

// BitsAndBloomsHash returns the four words that bits-and-blooms/bloom chooses a key's bits by.
func BitsAndBloomsHash(key []byte) (h [4]uint64) {
	h[0], h[1] = murmur3(key)
	h[2], h[3] = murmur3(append(append([]byte{}, key...), 1))
	return h
}

// murmur3 is MurmurHash3_x64_128 with seed 0.
func murmur3(key []byte) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mix1 := func(k uint64) { h1 ^= bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) { h2 ^= bits.RotateLeft64(k*c2, 33) * c1 }
	n := uint64(len(key))
	for ; len(key) >= 16; key = key[16:] {
		mix1(binary.LittleEndian.Uint64(key))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		mix2(binary.LittleEndian.Uint64(key[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var k [2]uint64
	for i, b := range key {
		k[i/8] |= uint64(b) << (i % 8 * 8)
	}
	mix1(k[0])
	mix2(k[1])
	h1, h2 = h1^n, h2^n
	h1 += h2
	h2 += h1
	for _, h := range []*uint64{&h1, &h2} {
		*h = (*h ^ *h>>33) * 0xff51afd7ed558ccd
		*h = (*h ^ *h>>33) * 0xc4ceb9fe1a85ec53
		*h ^= *h >> 33
	}
	h1 += h2
	return h1, h2 + h1
}

// BitsAndBlooms is a filter of bits-and-blooms/bloom.
type BitsAndBlooms struct {
	M, K, Length uint64
	Words        []uint64
}

// ReadBitsAndBlooms reads a filter as the original does, in the byte order that its bitset is set to. It
// returns nil if the bytes are too few. The original would panic in a lookup if m is 0.
func ReadBitsAndBlooms(data []byte, order binary.ByteOrder) *BitsAndBlooms {
	if len(data) < 24 {
		return nil
	}
	f := &BitsAndBlooms{M: binary.BigEndian.Uint64(data), K: binary.BigEndian.Uint64(data[8:]), Length: order.Uint64(data[16:])}
	data = data[24:]
	for bit := uint64(0); bit < f.Length; bit += 64 {
		if len(data) < 8 {
			return nil
		}
		f.Words = append(f.Words, order.Uint64(data))
		data = data[8:]
	}
	return f
}

// Place returns the bit of a hash's probe.
func (f *BitsAndBlooms) Place(h [4]uint64, i uint64) uint64 {
	return (h[i%2] + i*h[2+((i+i%2)%4)/2]) % f.M
}

// Contains looks a hash up.
func (f *BitsAndBlooms) Contains(h [4]uint64) bool {
	for i := range f.K {
		if bit := f.Place(h, i); bit >= f.Length || f.Words[bit/64]>>(bit%64)&1 == 0 {
			return false
		}
	}
	return true
}

// Append appends the filter's bytes in a byte order.
func (f *BitsAndBlooms) Append(dst []byte, order binary.AppendByteOrder) []byte {
	dst = binary.BigEndian.AppendUint64(dst, f.M)
	dst = order.AppendUint64(binary.BigEndian.AppendUint64(dst, f.K), f.Length)
	for _, word := range f.Words {
		dst = order.AppendUint64(dst, word)
	}
	return dst
}
