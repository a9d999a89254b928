package naive

import "encoding/binary"

// LevelDBHash returns LevelDB's hash of a key, or RocksDB's, which reads the last bytes as
// signed.
func LevelDBHash(key []byte, signed bool) uint32 {
	const m = 0xc6a4a793
	h := uint32(0xbc9f1d34) ^ uint32(len(key))*m
	whole := len(key) / 4 * 4
	for i := 0; i < whole; i += 4 {
		h = (h + binary.LittleEndian.Uint32(key[i:])) * m
		h ^= h >> 16
	}
	if whole == len(key) {
		return h
	}
	for i, b := range key[whole:] {
		if x := uint32(b); signed && b >= 0x80 {
			h += (x | 0xffffff00) << (8 * i)
		} else {
			h += x << (8 * i)
		}
	}
	h *= m
	return h ^ h>>24
}

// levelDBBits appends the bits of the body that a hash's probes look at.
func levelDBBits(all []uint64, body []byte, k int, hash uint32) []uint64 {
	delta := hash>>17 | hash<<15
	for i := range k {
		all = append(all, uint64(hash+uint32(i)*delta)%(8*uint64(len(body))))
	}
	return all
}

// LevelDB builds a whole filter.
func LevelDB(hashes []uint32, bitsPerKey int) []byte {
	bits := max(64, len(hashes)*bitsPerKey)
	body := make([]byte, (bits+7)/8)
	k := min(max(int(float64(bitsPerKey)*0.69), 1), mostProbes)
	for _, hash := range hashes {
		set(body, levelDBBits(nil, body, k, hash))
	}
	return append(body, byte(k))
}

// LevelDBContains looks a hash up in a filter as LevelDB does.
func LevelDBContains(data []byte, hash uint32) bool {
	if len(data) < 2 {
		return false
	}
	body, k := data[:len(data)-1], data[len(data)-1]
	var room [mostProbes]uint64
	return k > mostProbes || contains(body, levelDBBits(room[:0], body, int(k), hash))
}

// LevelDBBlock is a filter block's file offsets where keys follow, and their hashes.
type LevelDBBlock []struct {
	Offset uint64
	Hashes []uint32
}

// Build builds the block.
func (b LevelDBBlock) Build(bitsPerKey, baseLg int) (data []byte) {
	filters := make(map[uint64][]uint32)
	last := uint64(0) // of the filters there are
	for _, step := range b {
		filters[step.Offset>>baseLg] = append(filters[step.Offset>>baseLg], step.Hashes...)
		last = max(last, step.Offset>>baseLg)
	}
	if len(filters[last]) > 0 {
		last++
	}
	var offsets []byte
	for i := range last {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(data)))
		if len(filters[i]) > 0 {
			data = append(data, LevelDB(filters[i], bitsPerKey)...)
		}
	}
	offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(data)))
	return append(append(data, offsets...), byte(baseLg))
}

// LevelDBBlockContains looks a hash up in a filter block as LevelDB does.
func LevelDBBlockContains(data []byte, offset uint64, hash uint32) bool {
	n := len(data)
	if n < 5 {
		return true
	}
	word := func(at uint64) uint64 { return uint64(binary.LittleEndian.Uint32(data[at:])) }
	array := word(uint64(n - 5))
	if array > uint64(n-5) {
		return true
	}
	i := offset >> data[n-1]
	if i >= (uint64(n-5)-array)/4 {
		return true
	}
	start, limit := word(array+4*i), word(array+4*i+4)
	if start <= limit && limit <= array {
		return LevelDBContains(data[start:limit], hash)
	}
	return start != limit
}
