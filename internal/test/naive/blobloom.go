package naive

// BlobloomBits returns the bits of the body that a hash looks at: those of its k-1 probes.
func BlobloomBits(body []byte, k int, hash uint64) []uint64 {
	return blobloomBits(nil, body, k, hash)
}

// blobloomBits appends them.
func blobloomBits(all []uint64, body []byte, k int, hash uint64) []uint64 {
	low, high := hash%(1<<32), hash>>32
	block := low * uint64(len(body)/64) >> 32
	for i := uint64(1); i < uint64(k); i++ {
		// 0, 1, 4, 10, 20: the sum of the sums of the numbers below i.
		constant := (i - 1) * i * (i + 1) / 6
		all = append(all, 512*block+(high+i*low+constant)%512)
	}
	return all
}

// BlobloomAdd sets a hash's bits.
func BlobloomAdd(body []byte, k int, hash uint64) { set(body, BlobloomBits(body, k, hash)) }

// BlobloomContains reports whether they are set.
func BlobloomContains(body []byte, k int, hash uint64) bool {
	var room [mostProbes]uint64
	return contains(body, blobloomBits(room[:0], body, k, hash))
}

// Blobloom builds the blocks of a whole filter.
func Blobloom(blocks, k int, hashes []uint64) []byte {
	body := make([]byte, 64*blocks)
	for _, hash := range hashes {
		BlobloomAdd(body, k, hash)
	}
	return body
}
