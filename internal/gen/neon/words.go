package neon

import "fmt"

// Instructions that Go's assembler lacks. The numbers are from Arm's manual (DDI 0487),
// section C7.2.

// registers returns the fields of an instruction that name three registers.
func registers(to, a, b V) uint32 {
	for _, v := range []V{to, a, b} {
		v.check()
	}
	return uint32(to) | uint32(a)<<5 | uint32(b)<<16
}

// threeWord is three for an instruction that is a WORD.
func (f *Function) threeWord(encoding uint32, opcode, arrangement string, to, a, b V) {
	f.word(encoding|registers(to, a, b), fmt.Sprintf("%s %s, %s, %s", opcode, b.in(arrangement), a.in(arrangement), to.in(arrangement)))
}

// UminpB16 takes the smaller of neighbours: those of a to the lower half, those of b to
// the upper.
func (f *Function) UminpB16(to, a, b V) { f.threeWord(0x6e20ac00, "VUMINP", "B16", to, a, b) }

// CmhiS4 sets lanes to ones where a is above b, both unsigned, else to zeros.
func (f *Function) CmhiS4(to, a, b V) { f.threeWord(0x6ea03400, "VCMHI", "S4", to, a, b) }

// UmullD2 multiplies the lanes of 32 bits in the lower halves of a and b.
func (f *Function) UmullD2(to, a, b V) {
	f.word(0x2ea0c000|registers(to, a, b), fmt.Sprintf("VUMULL %s, %s, %s", b.in("S2"), a.in("S2"), to.in("D2")))
}

// Umull2D2 does so with the upper halves.
func (f *Function) Umull2D2(to, a, b V) {
	f.word(0x6ea0c000|registers(to, a, b), fmt.Sprintf("VUMULL2 %s, %s, %s", b.in("S4"), a.in("S4"), to.in("D2")))
}

// MulByLaneS4 multiplies each lane by one of b's, and keeps the lower 32 bits.
func (f *Function) MulByLaneS4(to, a, b V, lane int) {
	f.word(0x4f808000|laneS(lane)|registers(to, a, b), fmt.Sprintf("VMUL %s, %s, %s", b.lane("S", lane), a.in("S4"), to.in("S4")))
}

// MlaByLaneS4 adds the products of MulByLaneS4.
func (f *Function) MlaByLaneS4(to, a, b V, lane int) {
	f.word(0x6f800000|laneS(lane)|registers(to, a, b), fmt.Sprintf("VMLA %s, %s, %s", b.lane("S", lane), a.in("S4"), to.in("S4")))
}

// UmullByLaneD2 multiplies each lane of 32 bits of a's lower half by one of b's.
func (f *Function) UmullByLaneD2(to, a, b V, lane int) {
	f.word(0x2f80a000|laneS(lane)|registers(to, a, b), fmt.Sprintf("VUMULL %s, %s, %s", b.lane("S", lane), a.in("S2"), to.in("D2")))
}

// Umull2ByLaneD2 does so with a's upper half.
func (f *Function) Umull2ByLaneD2(to, a, b V, lane int) {
	f.word(0x6f80a000|laneS(lane)|registers(to, a, b), fmt.Sprintf("VUMULL2 %s, %s, %s", b.lane("S", lane), a.in("S4"), to.in("D2")))
}

// laneS returns the fields that name a lane of 32 bits.
func laneS(lane int) uint32 { return uint32(lane&1)<<21 | uint32(lane>>1&1)<<11 }

// UshlH8 shifts each lane of 16 bits to the left by the number in b's lowest byte, or to the
// right if it is negative.
func (f *Function) UshlH8(to, a, b V) { f.threeWord(0x6e604400, "VUSHL", "H8", to, a, b) }

// UshlS4 does so with lanes of 32 bits.
func (f *Function) UshlS4(to, a, b V) { f.threeWord(0x6ea04400, "VUSHL", "S4", to, a, b) }

// UshlD2 does so with lanes of 64 bits.
func (f *Function) UshlD2(to, a, b V) { f.threeWord(0x6ee04400, "VUSHL", "D2", to, a, b) }

// LdrQAt loads a register from a distance from the base.
func (f *Function) LdrQAt(to V, base, distance X) {
	f.word(0x3ce06800|registers(to, V(base), V(distance)), fmt.Sprintf("FMOVQ %s, %s", indexed(base, distance, 0), to.scalar()))
}

// ShrnB8 shifts each lane of 16 bits to the right by 1 to 8, and puts their lower bytes
// into the lower half; the upper one is cleared.
func (f *Function) ShrnB8(to, a V, by int) {
	f.word(0x0f008400|shiftRightH8(by)|registers(to, a, 0), fmt.Sprintf("VSHRN $%d, %s, %s", by, a.in("H8"), to.in("B8")))
}

// Shrn2B16 is ShrnB8 to the upper half, and leaves the lower one.
func (f *Function) Shrn2B16(to, a V, by int) {
	f.word(0x4f008400|shiftRightH8(by)|registers(to, a, 0), fmt.Sprintf("VSHRN2 $%d, %s, %s", by, a.in("H8"), to.in("B16")))
}

// shiftRightH8 returns the field of a shift that narrows lanes of 16 bits.
func shiftRightH8(by int) uint32 {
	if by < 1 || by > 8 {
		panic(fmt.Sprintf("the shift must be 1 to 8, not %d", by)) // a mistake in the generator
	}
	return uint32(16-by) << 16
}
