package main

import "encoding/binary"

// outsideBit marks the number of a key that is not in the filter.
const outsideBit = 1 << 31

// keyMaker makes the keys of filters by their numbers, as RocksDB's KeyMaker does.
type keyMaker struct {
	buffer       []byte
	size         int
	varySize     bool
	sizeInterval uint
	varyStart    bool
}

func newKeyMaker(s *settings) *keyMaker {
	size := max(int(s.keySize), 8)
	m := &keyMaker{
		buffer: make([]byte, size+11), size: size,
		varySize: true, sizeInterval: s.varyKeySizeLog2Interval, varyStart: s.varyKeyAlignment,
	}
	if m.sizeInterval >= 30 {
		m.varySize = false
		m.size -= 2
	}
	return m
}

// key returns a key that is valid until the next call.
func (m *keyMaker) key(f *benchFilter, number uint32) []byte {
	start, size := 0, m.size
	if m.varyStart {
		start = int(number % 4)
	}
	if m.varySize {
		size += int(fastRange((number>>m.sizeInterval)*1234567891, 5))
	}
	data := m.buffer[start:]
	binary.LittleEndian.PutUint32(data, number)
	binary.LittleEndian.PutUint32(data[4:], f.id+number)
	binary.LittleEndian.PutUint32(data[8:], 0) // left over from another start
	return data[:size]
}

// fastRange maps x to 0 up to n-1, in proportion.
func fastRange(x, n uint32) uint32 { return uint32(uint64(x) * uint64(n) >> 32) }
