package naive

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// linearR are the fingerprints' sizes in bits that the format has.
var linearR = []int{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 28, 29, 31}

// linearSlots returns how many slots of a line are in planes of eight, and how many follow
// as whole words.
func linearSlots(r int) (planes, tail int) {
	planes = min(8, 63/r)
	return planes, min(8, (504-8*planes*r)/r)
}

// linearBit returns which bit of a line is bit j of a slot.
func linearBit(r, slot, j int) int {
	planes, _ := linearSlots(r)
	if slot < 8*planes {
		return 8*(slot/8*r+j) + slot%8
	}
	return 504 - (slot-8*planes+1)*r + j
}

func linearPlace(hash, lines uint64) (line, order uint64) {
	product := (hash & 0xffffffff) * lines
	return product >> 32, min(product>>26&63, 62)
}

func linearNext(hash uint64) uint64 { return bits.RotateLeft64(hash*0xd6e8feb86659fd93, 32) }

// equation is what a key wants of its line: the slots whose bits are set in row, XORed,
// are the fingerprint.
type equation struct {
	row         [2]uint64
	fingerprint uint64
}

func (e equation) has(slot int) bool { return e.row[slot/64]>>(slot%64)&1 != 0 }

func (e *equation) add(other equation) {
	e.row[0] ^= other.row[0]
	e.row[1] ^= other.row[1]
	e.fingerprint ^= other.fingerprint
}

func linearEquation(r, seed int, hash uint64) (e equation) {
	planes, tail := linearSlots(r)
	a, b := hash>>32, hash&0xffffffff
	x := a * [4]uint64{0xED5AD4BB, 0xAC4C1B51, 0xF1357AE9, 0xC2B2AE3D}[seed]
	g := a*0x9E3779B1 ^ b*0x85EBCA77<<32
	for slot := range 8*planes + tail {
		bit := x >> (32 - 4*planes) >> slot & 1
		if slot >= 8*planes {
			bit = g >> (8 * seed) >> (slot - 8*planes) & 1
		}
		e.row[slot/64] |= bit << (slot % 64)
	}
	e.fingerprint = g >> (64 - r)
	return e
}

// linearSolution returns the slots of the solution whose free slots are 0, and whether
// there is one: Gauss and Jordan's elimination, slot by slot.
func linearSolution(r int, equations []equation) (slots []uint64, ok bool) {
	planes, tail := linearSlots(r)
	slots = make([]uint64, 8*planes+tail)
	leading := make([]int, 0, len(slots)) // the slots of the first equations
	for slot := range slots {
		rest := equations[len(leading):]
		i := slices.IndexFunc(rest, func(e equation) bool { return e.has(slot) })
		if i < 0 {
			continue
		}
		rest[0], rest[i] = rest[i], rest[0]
		for k := range equations {
			if k != len(leading) && equations[k].has(slot) {
				equations[k].add(rest[0])
			}
		}
		leading = append(leading, slot)
	}
	for i, slot := range leading {
		slots[slot] = equations[i].fingerprint
	}
	for _, e := range equations[len(leading):] {
		if e.fingerprint != 0 {
			return nil, false
		}
	}
	return slots, true
}

// LinearLine returns the line of a layer that has the given hashes, all of this line. The
// keys below the threshold, which is in the last byte's upper six bits, are not in it.
func LinearLine(r int, lines uint64, hashes []uint64) (line [64]byte) {
	slotsOf := func(seed, threshold int) ([]uint64, bool) {
		var equations []equation
		for _, hash := range hashes {
			if _, order := linearPlace(hash, lines); order >= uint64(threshold) {
				equations = append(equations, linearEquation(r, seed, hash))
			}
		}
		return linearSolution(r, equations)
	}
	threshold, best := 64, 0
	for seed := range 4 {
		t := sort.Search(63, func(t int) bool { _, ok := slotsOf(seed, t); return ok })
		if t < threshold {
			threshold, best = t, seed
		}
	}
	slots, _ := slotsOf(best, threshold)
	for slot, value := range slots {
		for j := range r {
			at := linearBit(r, slot, j)
			line[at/8] |= byte(value>>j&1) << (at % 8)
		}
	}
	line[63] = byte(threshold<<2 | best)
	return line
}

// LinearBumped returns the hashes, as the next layer has them, that are below their lines'
// thresholds. The body is that of the layer.
func LinearBumped(body []byte, hashes []uint64) (bumped []uint64) {
	for _, hash := range hashes {
		line, order := linearPlace(hash, uint64(len(body)/64))
		if order < uint64(body[line*64+63]>>2) {
			bumped = append(bumped, linearNext(hash))
		}
	}
	return bumped
}

// LinearContains looks a hash up in a body whose layers have the given numbers of lines.
func LinearContains(body []byte, layers []uint32, r int, hash uint64) bool {
	if len(layers) == 0 {
		return false
	}
	for _, lines := range layers {
		n, order := linearPlace(hash, uint64(lines))
		line := body[n*64 : n*64+64]
		if threshold := uint64(line[63] >> 2); order >= threshold {
			return linearSum(r, line, hash) == 0
		}
		body = body[uint64(lines)*64:]
		hash = linearNext(hash)
	}
	return true
}

// linearSum returns the slots of a key's row and its fingerprint, XORed.
func linearSum(r int, line []byte, hash uint64) uint64 {
	planes, tail := linearSlots(r)
	e := linearEquation(r, int(line[63]&3), hash)
	sum := e.fingerprint
	for slot := range 8*planes + tail {
		if !e.has(slot) {
			continue
		}
		for j := range r {
			at := linearBit(r, slot, j)
			sum ^= uint64(line[at/8]>>(at%8)&1) << j
		}
	}
	return sum
}

// Linear builds a whole filter. It drops no repetitions.
func Linear(hashes []uint64, millibits uint64) []byte {
	if len(hashes) == 0 {
		return linearFile(nil, nil, 31)
	}
	r, total := LinearPlan(uint64(len(hashes)), millibits)
	for attempt := 0; ; attempt++ {
		body, layers, left := linearLayers(hashes, r, total)
		if left == 0 || attempt == 2 || r == linearR[0] {
			return linearFile(body, layers, r)
		}
		r = linearR[slices.Index(linearR, r)-1]
	}
}

// linearLayers returns all layers, and how many keys are in none of them.
func linearLayers(keys []uint64, r int, total uint64) (body []byte, layers []uint32, left int) {
	for len(keys) > 0 && total > 0 && len(layers) < 16 {
		lines := total
		if len(layers) < 15 {
			lines = LinearNextLayer(r, uint64(len(keys)), total)
		}
		total -= lines
		ofLine := make([][]uint64, lines)
		for _, hash := range keys {
			line, _ := linearPlace(hash, lines)
			ofLine[line] = append(ofLine[line], hash)
		}
		var layer []byte
		for _, hashes := range ofLine {
			line := LinearLine(r, lines, hashes)
			layer = append(layer, line[:]...)
		}
		keys = LinearBumped(layer, keys)
		body, layers = append(body, layer...), append(layers, uint32(lines))
	}
	return body, layers, len(keys)
}

func linearFile(body []byte, layers []uint32, r int) []byte {
	for _, lines := range layers {
		body = binary.LittleEndian.AppendUint32(body, lines)
	}
	return append(body, byte(r), byte(len(layers)), 1, 0x80, 'L', 'L', 'F', '1')
}

// LinearPlan returns a fingerprint's bits and the number of lines for n keys.
func LinearPlan(n, millibits uint64) (r int, lines uint64) {
	high, low := bits.Mul64(n, millibits)
	low, carry := bits.Add64(low, 511_999, 0)
	lines = math.MaxUint32
	if high+carry < 512_000 {
		quotient, _ := bits.Div64(high+carry, low, 512_000)
		lines = min(max(quotient, 1), lines)
	}
	for _, r := range slices.Backward(linearR) {
		planes, tail := linearSlots(r)
		if n <= uint64(8*planes+tail-3) || linearLeastLoad(r, n, lines, 80) != 0 {
			return r, lines
		}
	}
	return linearR[0], linearTotal(linearR[0], n, 80)
}

// LinearNextLayer returns the number of lines of a layer that is not the sixteenth.
func LinearNextLayer(r int, keys, left uint64) uint64 {
	planes, tail := linearSlots(r)
	if left == 1 || keys <= uint64(8*planes+tail-3) {
		return 1
	}
	load := linearLeastLoad(r, keys, left, 88)
	if load == 0 {
		return left - (left+3)/4
	}
	return min(linearLayerLines(r, keys, load), left-1)
}

func linearLeastLoad(r int, keys, left, most uint64) uint64 {
	for load := uint64(16); load <= most; load++ {
		if linearTotal(r, keys, load) <= left {
			return load
		}
	}
	return 0
}

func linearLayerLines(r int, keys, load uint64) uint64 {
	planes, tail := linearSlots(r)
	perLine := load * uint64(8*planes+tail)
	return (64*keys + perLine - 1) / perLine
}

func linearTotal(r int, keys, load uint64) (sum uint64) {
	planes, tail := linearSlots(r)
	for range 16 {
		if keys == 0 {
			return sum
		}
		if keys <= uint64(8*planes+tail-3) {
			return sum + 1
		}
		lines := linearLayerLines(r, keys, load)
		sum += lines
		bumped := linearBumped(r, keys, lines)
		keys = min(keys, bumped+linearRoot(bumped))
	}
	return math.MaxUint64
}

// linearBumped returns how many keys a layer is expected not to hold.
func linearBumped(r int, keys, lines uint64) uint64 {
	planes, tail := linearSlots(r)
	slots, b := lines*uint64(8*planes+tail), linearBumpTable[r]
	load := keys << 16 / slots
	switch i := load >> 12; {
	case i < 8:
		return (keys*b[0] + 65535) / 65536
	case i >= 22:
		return keys - min(keys, slots*22*(65536-b[14])>>20)
	default:
		share := b[i-8] + (b[i-7]-b[i-8])*(load&4095)>>12
		return (keys*share + 65535) / 65536
	}
}

// linearRoot returns the square root, rounded down.
func linearRoot(x uint64) uint64 {
	return uint64(sort.Search(1<<30, func(root int) bool { return uint64(root+1)*uint64(root+1) > x }))
}
