package naive

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// ribbonEquation is a key's condition: the slots from start on whose bits are set in row, XORed,
// are the result.
type ribbonEquation struct {
	start  int
	row    *big.Int
	result uint32
}

func ribbonEquationOf(seed byte, slots int, hash uint64) ribbonEquation {
	raw := uint64(seed) * 0xc78219a23eeadd03
	raw ^= raw & 0xf0f0f0f0f0f0f0f0 >> 4
	g := (hash ^ raw&0xffffffff) * 0x6193d459236a3a0d
	start, _ := bits.Mul64(g, uint64(slots-127))
	a := g * 0xc28f82822b650bed
	row := new(big.Int).SetUint64(a)
	row.Lsh(row, 64)
	row.Or(row, new(big.Int).SetUint64((a^0xc367844a6e52731d)|1))
	return ribbonEquation{int(start), row, uint32(bits.ReverseBytes64(a))}
}

// Ribbon builds a filter of a given number of slots, size of the body, and first seed. It
// reports false if no seed works.
func Ribbon(hashes []uint64, slots, bodyBytes int, first byte) ([]byte, bool) {
	for i := range 256 {
		seed := first + byte(i)
		if values, ok := ribbonSolution(hashes, slots, seed); ok {
			return ribbonFile(values, bodyBytes, seed), true
		}
	}
	return nil, false
}

// ribbonSolution returns the value of every slot, of 32 bits: 0 where no equation begins after
// elimination.
func ribbonSolution(hashes []uint64, slots int, seed byte) ([]uint32, bool) {
	equations := make([]*ribbonEquation, slots)
	for _, hash := range hashes {
		e := ribbonEquationOf(seed, slots, hash)
		for e.row.Sign() != 0 && equations[e.start] != nil {
			e.row.Xor(e.row, equations[e.start].row)
			e.result ^= equations[e.start].result
			zeros := e.row.TrailingZeroBits()
			e.start += int(zeros)
			e.row.Rsh(e.row, zeros)
		}
		if e.row.Sign() != 0 {
			equations[e.start] = &e
		} else if e.result != 0 {
			return nil, false
		}
	}
	values := make([]uint32, slots)
	for i := slots - 1; i >= 0; i-- {
		if e := equations[i]; e != nil {
			values[i] = e.result
			for bit := 1; bit < 128; bit++ {
				if e.row.Bit(bit) != 0 {
					values[i] ^= values[i+bit]
				}
			}
		}
	}
	return values, true
}

// ribbonLayout returns the columns of a block, and its first segment.
func ribbonLayout(bodyBytes, blocks, block int) (columns, segment int) {
	segments := bodyBytes / 16
	upper := (segments + blocks - 1) / blocks
	fewer := upper*blocks - segments // the number of blocks with a column less
	if upper > 32 {
		upper, fewer = 32, 0
	}
	columns = upper
	if block < fewer {
		columns--
	}
	return columns, block*upper - min(block, fewer)
}

func ribbonFile(values []uint32, bodyBytes int, seed byte) []byte {
	data, blocks := make([]byte, bodyBytes+5), len(values)/128
	for slot, value := range values {
		columns, segment := ribbonLayout(bodyBytes, blocks, slot/128)
		for j := range columns {
			data[16*(segment+j)+slot%128/8] |= byte(value>>j&1) << (slot % 8)
		}
	}
	binary.LittleEndian.PutUint32(data[bodyBytes+1:], uint32(blocks)<<8|uint32(seed))
	data[bodyBytes] = 0xfe
	return data
}

// RibbonContains reports whether bytes that end in a Ribbon filter's trailer may contain a
// hash.
func RibbonContains(data []byte, hash uint64) bool {
	body := data[:len(data)-5]
	trailer := binary.LittleEndian.Uint32(data[len(body)+1:])
	seed, blocks := byte(trailer), int(trailer>>8)
	if blocks < 2 {
		return true
	}
	e := ribbonEquationOf(seed, 128*blocks, hash)
	columns, _ := ribbonLayout(len(body), blocks, e.start/128)
	for j := range columns {
		sum := e.result >> j & 1
		for bit := range 128 {
			if e.row.Bit(bit) == 0 {
				continue
			}
			slot := e.start + bit
			_, segment := ribbonLayout(len(body), blocks, slot/128)
			sum ^= uint32(body[16*(segment+j)+slot%128/8]>>(slot%8)) & 1
		}
		if sum != 0 {
			return false
		}
	}
	return true
}
