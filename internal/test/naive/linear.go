package naive

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// linearR are the fingerprints' sizes in bits that the format has.
var linearR = []int{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 32}

// linearAbove returns the next size above r.
func linearAbove(r int) int { return linearR[slices.Index(linearR, r)+1] }

// linearPlanes returns how many planes of eight slots a line has, and how many slots follow as
// whole words.
func linearPlanes(r int) (planes, tail int) {
	planes = min(8, 64/r)
	return planes, min(8, (512-8*planes*r)/r)
}

func linearSlots(r int) uint64 {
	planes, tail := linearPlanes(r)
	return uint64(8*planes + tail)
}

// linearBit returns which bit of a line is bit j of a slot.
func linearBit(r, slot, j int) int {
	planes, _ := linearPlanes(r)
	if slot < 8*planes {
		return 8*(slot/8*r+j) + slot%8
	}
	return 512 - (slot-8*planes+1)*r + j
}

func linearMix(k uint64) uint64 { return (k ^ k>>32) * 0xFF51AFD7ED558CCD }

func linearPlace(h, multiplier uint64) (line, order uint64) {
	product := (h & 0xffffffff) * multiplier
	return product >> 32, min(product>>26&63, 62)
}

func linearNext(h uint64) uint64 { return bits.RotateLeft64(h*0xd6e8feb86659fd93, 32) }

// equation is a key's condition on its line: the slots whose bits are set in row, XORed,
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

func linearEquation(r, seed int, h uint64) (e equation) {
	planes, tail := linearPlanes(r)
	a, b := h>>32, h&0xffffffff
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
	slots = make([]uint64, linearSlots(r))
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

// LinearLine returns the line of a section that has the given hashes, all of this line, and its
// header. The keys below the threshold, which is in the header's upper six bits, are not in it.
func LinearLine(r int, multiplier uint64, hashes []uint64) (line [64]byte, header byte) {
	slotsOf := func(seed, threshold int) ([]uint64, bool) {
		var equations []equation
		for _, h := range hashes {
			if _, order := linearPlace(h, multiplier); order >= uint64(threshold) {
				equations = append(equations, linearEquation(r, seed, h))
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
	return line, byte(threshold<<2 | best)
}

// A LinearFilter is a linear filter in its parts.
type LinearFilter struct {
	R, J        int
	Multipliers [][2]uint32 // MA and MB of each layer
	Lines       []byte
	Headers     []byte
}

// LinearSections returns the numbers of lines of a layer's sections.
func LinearSections(multipliers [2]uint32, j int) (a, b uint64) {
	return linearSections(uint64(multipliers[0]), uint64(multipliers[1]), j)
}

func linearSections(multiplierA, multiplierB uint64, j int) (a, b uint64) {
	if multiplierA == 0 {
		return 0, multiplierB
	}
	return (multiplierA*uint64(j) + 63) / 64, (multiplierB*uint64(64-j) + 63) / 64
}

// linearSection returns a hash's section in a layer, A or B, and the hash as it is there.
func linearSection(multipliers [2]uint32, j int, h uint64) (section int, own uint64) {
	jl := uint64(j)
	if multipliers[0] == 0 {
		jl = 0
	}
	if (h&0xffffffff)>>26 < jl {
		return 0, h
	}
	return 1, h - jl<<26
}

// Bytes returns the filter's file.
func (f LinearFilter) Bytes() []byte {
	data := slices.Concat(f.Lines, f.Headers)
	for _, m := range f.Multipliers {
		data = binary.LittleEndian.AppendUint32(data, m[0])
		data = binary.LittleEndian.AppendUint32(data, m[1])
	}
	return append(data, byte(f.J), byte(f.R), byte(len(f.Multipliers)), 0x80, 'L', 'L', 'F', '2')
}

// bitsOf returns the size of a section's fingerprints.
func (f LinearFilter) bitsOf(section int) int {
	if section == 0 {
		return linearAbove(f.R)
	}
	return f.R
}

// ReadLinear returns the filter whose file is data: bytes that a reader has found right.
func ReadLinear(data []byte) (f LinearFilter) {
	if len(data) == 0 {
		return f
	}
	n := len(data) - 8
	f.J, f.R = int(data[n]), int(data[n+1])
	layers := int(data[n+2])
	n -= 8 * layers
	for at := range layers {
		of := data[n+8*at:]
		f.Multipliers = append(f.Multipliers, [2]uint32{binary.LittleEndian.Uint32(of), binary.LittleEndian.Uint32(of[4:])})
	}
	f.Lines, f.Headers = data[:n/65*64], data[n/65*64:n]
	return f
}

// Contains looks a key's hash up.
func (f LinearFilter) Contains(k uint64) bool {
	if len(f.Multipliers) == 0 {
		return false
	}
	h, first := linearMix(k), uint64(0)
	for _, multipliers := range f.Multipliers {
		a, b := LinearSections(multipliers, f.J)
		section, own := linearSection(multipliers, f.J, h)
		line, order := linearPlace(own, uint64(multipliers[section]))
		line += first
		if section == 1 {
			line += a
		}
		if header := f.Headers[line]; order >= uint64(header>>2) {
			return linearSum(f.bitsOf(section), f.Lines[line*64:line*64+64], header, own) == 0
		}
		h, first = linearNext(own), first+a+b
	}
	return true
}

// linearSum returns the slots of a key's row and its fingerprint, XORed.
func linearSum(r int, line []byte, header byte, h uint64) uint64 {
	e := linearEquation(r, int(header&3), h)
	sum := e.fingerprint
	for slot := range int(linearSlots(r)) {
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

// A LinearSolver writes a line as [LinearLine] does.
type LinearSolver func(r int, multiplier uint64, hashes []uint64) (line [64]byte, header byte)

// Linear builds a whole filter. It drops no repetitions.
func Linear(hashes []uint64, millibits uint64) LinearFilter {
	return LinearBy(LinearLine, hashes, millibits, math.MaxUint64, LinearLoad)
}

// LinearLoad is the load that filters are planned for, in 64ths of a key per slot.
const LinearLoad = 80

// LinearBy builds a filter of at most the given number of lines, planned for a load, with a solver.
func LinearBy(solve LinearSolver, hashes []uint64, millibits, most, load uint64) LinearFilter {
	n := uint64(len(hashes))
	if n == 0 {
		return LinearFilter{R: 32}
	}
	asked := LinearAsked(n, millibits)
	r, j, lines := LinearPlan(n, asked, load)
	if lines > most {
		asked = most
		if r, j, lines = LinearPlan(n, asked, load); lines > most {
			r, j, lines = 7, 0, most
		}
	}
	mixed := make([]uint64, len(hashes))
	for i, k := range hashes {
		mixed[i] = linearMix(k)
	}
	for t := asked; t <= min(lines, 32); t++ {
		for _, longest := range slices.Backward(linearR) {
			if (longest > r || longest == r && t < lines) && n <= t*linearSlots(longest) {
				if f, left := linearLayers(solve, mixed, longest, 0, t, 0); left == 0 {
					return f
				}
			}
		}
	}
	for range 9 {
		j = linearCut(r, j, n)
		if j == 0 || LinearNextLayer(r, j, n, lines)[0] > 0 {
			for _, first := range []int64{0, -1, 1, -2, 2} {
				if f, left := linearLayers(solve, mixed, r, j, lines, first); left == 0 {
					return f
				}
			}
		}
		if r == 7 && j == 0 {
			break
		}
		if j > 0 {
			j -= min(j, 2)
		} else {
			r, j = linearR[slices.Index(linearR, r)-1], 62
		}
	}
	f, _ := linearLayers(solve, mixed, r, 0, lines, 0)
	return f
}

// linearLayers returns all layers, and how many keys are in none of them. It adds a number to MB of the first layer.
func linearLayers(solve LinearSolver, keys []uint64, r, j int, t uint64, first int64) (f LinearFilter, left int) {
	f = LinearFilter{R: r, J: j}
	most := t
	for len(keys) > 0 && t > 0 && len(f.Multipliers) < 16 {
		var multipliers [2]uint32
		if len(f.Multipliers) == 15 {
			multipliers[1] = uint32(t)
		} else {
			multipliers = LinearNextLayer(r, j, uint64(len(keys)), t)
		}
		if len(f.Multipliers) == 0 && first != 0 {
			changed := int64(multipliers[1]) + first
			if changed < 1 {
				return f, len(keys)
			}
			multipliers[1] = uint32(changed)
			if a, b := LinearSections(multipliers, j); a+b >= most {
				return f, len(keys)
			}
		}
		a, b := LinearSections(multipliers, j)
		t -= a + b
		ofLine := make([][]uint64, a+b)
		for _, h := range keys {
			section, own := linearSection(multipliers, j, h)
			line, _ := linearPlace(own, uint64(multipliers[section]))
			if section == 1 {
				line += a
			}
			ofLine[line] = append(ofLine[line], own)
		}
		keys = nil
		for i, hashes := range ofLine {
			section := 0
			if uint64(i) >= a {
				section = 1
			}
			line, header := solve(f.bitsOf(section), uint64(multipliers[section]), hashes)
			f.Lines, f.Headers = append(f.Lines, line[:]...), append(f.Headers, header)
			for _, h := range hashes {
				if _, order := linearPlace(h, uint64(multipliers[section])); order < uint64(header>>2) {
					keys = append(keys, linearNext(h))
				}
			}
		}
		f.Multipliers = append(f.Multipliers, multipliers)
	}
	return f, len(keys)
}
