package main

import (
	"encoding/binary"
	"strconv"
)

// outsideBit in a key's number says that the key is not in the filter.
const outsideBit = 1 << 31

// keyMaker returns the keys of a filter by their numbers. A key is valid until
// the next call.
type keyMaker interface {
	key(f *benchFilter, number uint32) []byte
}

// madeKeys makes keys up as RocksDB's KeyMaker does.
type madeKeys struct {
	buffer       []byte
	size         int
	varySize     bool
	sizeInterval uint
	varyStart    bool
}

func newMadeKeys(s *settings) *madeKeys {
	size := max(int(s.keySize), 8)
	m := &madeKeys{
		buffer: make([]byte, size+11), size: size,
		varySize: true, sizeInterval: s.varyKeySizeLog2Interval, varyStart: s.varyKeyAlignment,
	}
	if m.sizeInterval >= 30 {
		m.varySize = false
		m.size -= 2
	}
	return m
}

func (m *madeKeys) key(f *benchFilter, number uint32) []byte {
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

// lineKeys are the lines of a file, dealt out to the filters in their order.
// Outside keys are such lines with something behind.
type lineKeys struct {
	lines  [][]byte
	buffer []byte
}

func (l *lineKeys) key(f *benchFilter, number uint32) []byte {
	if number < outsideBit {
		return l.lines[f.firstLine+int(number)]
	}
	number -= outsideBit
	l.buffer = appendVariant(l.buffer[:0], l.lines[f.firstLine+int(number)%f.keys], int(number)/f.keys)
	return l.buffer
}

// appendVariant appends a key that is not a line: it has a line feed inside.
func appendVariant(dst, line []byte, number int) []byte {
	dst = append(dst, line...)
	dst = append(dst, '\n')
	return strconv.AppendInt(dst, int64(number), 10)
}
