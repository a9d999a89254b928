package neon

import "fmt"

// Instructions of vector registers that Go's assembler has. Except for loads and stores,
// names end in the arrangement of the result. Operands have the order of Arm's manual.

// LdrQ loads a register.
func (f *Function) LdrQ(to V, base X, offset int) { f.emit("FMOVQ", at(base, offset), to.scalar()) }

// StrQ stores a register.
func (f *Function) StrQ(from V, base X, offset int) { f.emit("FMOVQ", from.scalar(), at(base, offset)) }

// LdrQNext loads a register, and moves the address on by its 16 bytes.
func (f *Function) LdrQNext(to V, base X) { f.emit("FMOVQ.P", at(base, 16), to.scalar()) }

// StrQNext stores a register, and moves the address on by its 16 bytes.
func (f *Function) StrQNext(from V, base X) { f.emit("FMOVQ.P", from.scalar(), at(base, 16)) }

// LdrDNext loads 64 bits to lane 0, clears the other, and moves the address on by eight bytes.
func (f *Function) LdrDNext(to V, base X) { f.emit("FMOVD.P", at(base, 8), to.scalar()) }

// Ld4S4Next loads four registers: the first one has every fourth of 16 lanes, from the first on. It
// moves the address on by their 64 bytes.
func (f *Function) Ld4S4Next(to V, base X) { f.emit("VLD4.P", at(base, 64), to.four("S4")) }

// StpQ stores two registers.
func (f *Function) StpQ(from, second V, base X, offset int) {
	f.emit("FSTPQ", fmt.Sprintf("(%s, %s)", from.scalar(), second.scalar()), at(base, offset))
}

// LdrDAt loads 64 bits at a distance from the base to lane 0, and clears the other.
func (f *Function) LdrDAt(to V, base, distance X) {
	f.emit("FMOVD", indexed(base, distance, 0), to.scalar())
}

// LdrS loads 32 bits to lane 0, and clears the others.
func (f *Function) LdrS(to V, base X, offset int) { f.emit("FMOVS", at(base, offset), to.scalar()) }

// LdpQ loads two registers.
func (f *Function) LdpQ(to, second V, base X, offset int) {
	f.emit("FLDPQ", at(base, offset), fmt.Sprintf("(%s, %s)", to.scalar(), second.scalar()))
}

// LdpQNext loads two registers, and moves the address on by their 32 bytes.
func (f *Function) LdpQNext(to, second V, base X) {
	f.emit("FLDPQ.P", at(base, 32), fmt.Sprintf("(%s, %s)", to.scalar(), second.scalar()))
}

// St1H stores a lane of 16 bits, and moves the address on by two bytes.
func (f *Function) St1H(from V, lane int, base X) {
	f.emit("VST1.P", from.lane("H", lane), at(base, 2))
}

// FmovS copies the lower 32 bits of a general register to lane 0, and clears the others.
func (f *Function) FmovS(to V, from X) { f.emit("FMOVS", from.String(), to.scalar()) }

// FmovD copies a general register to lane 0, and clears the other.
func (f *Function) FmovD(to V, from X) { f.emit("FMOVD", from.String(), to.scalar()) }

// FmovFromD copies the lower half to a general register.
func (f *Function) FmovFromD(to X, from V) { f.emit("FMOVD", from.scalar(), to.String()) }

// InsD copies a half.
func (f *Function) InsD(to V, lane int, from V, fromLane int) {
	f.emit("VMOV", from.lane("D", fromLane), to.lane("D", lane))
}

// DupB16 copies a byte to all lanes.
func (f *Function) DupB16(to, from V, lane int) { f.emit("VDUP", from.lane("B", lane), to.in("B16")) }

// DupLaneS4 copies a lane to all.
func (f *Function) DupLaneS4(to, from V, lane int) { f.emit("VDUP", from.lane("S", lane), to.in("S4")) }

// DupS4 copies a general register to all lanes.
func (f *Function) DupS4(to V, from X) { f.emit("VDUP", from.String(), to.in("S4")) }

// MoviB16 sets all bytes to a number.
func (f *Function) MoviB16(to V, number uint8) {
	f.emit("VMOVI", fmt.Sprintf("$%d", number), to.in("B16"))
}

// CntB16 counts the bits of each byte.
func (f *Function) CntB16(to, a V) { f.emit("VCNT", a.in("B16"), to.in("B16")) }

// three emits an instruction of three registers of one arrangement.
func (f *Function) three(opcode, arrangement string, to, a, b V) {
	f.emit(opcode, b.in(arrangement), a.in(arrangement), to.in(arrangement))
}

// AndB16 keeps the bits that are set in both.
func (f *Function) AndB16(to, a, b V) { f.three("VAND", "B16", to, a, b) }

// OrrB16 joins the bits.
func (f *Function) OrrB16(to, a, b V) { f.three("VORR", "B16", to, a, b) }

// EorB16 keeps the bits that are set in one only.
func (f *Function) EorB16(to, a, b V) { f.three("VEOR", "B16", to, a, b) }

// CmtstB16 sets bytes to ones where a bit is set in both, else to zeros.
func (f *Function) CmtstB16(to, a, b V) { f.three("VCMTST", "B16", to, a, b) }

// CmtstS4 is CmtstB16 for lanes of 32 bits.
func (f *Function) CmtstS4(to, a, b V) { f.three("VCMTST", "S4", to, a, b) }

// CmtstD2 is CmtstB16 for halves.
func (f *Function) CmtstD2(to, a, b V) { f.three("VCMTST", "D2", to, a, b) }

// CmeqH8 sets lanes to ones where a is b, else to zeros.
func (f *Function) CmeqH8(to, a, b V) { f.three("VCMEQ", "H8", to, a, b) }

// BitB16 takes the bits of a where those of mask are set.
func (f *Function) BitB16(to, a, mask V) { f.three("VBIT", "B16", to, a, mask) }

// AddS4 adds.
func (f *Function) AddS4(to, a, b V) { f.three("VADD", "S4", to, a, b) }

// AddpB16 adds neighbours: those of a into the lower half, those of b into the upper.
func (f *Function) AddpB16(to, a, b V) { f.three("VADDP", "B16", to, a, b) }

// Uzp2B16 takes the odd bytes: those of a into the lower half, those of b into the upper.
func (f *Function) Uzp2B16(to, a, b V) { f.three("VUZP2", "B16", to, a, b) }

// Uzp1B16 takes the even bytes.
func (f *Function) Uzp1B16(to, a, b V) { f.three("VUZP1", "B16", to, a, b) }

// Uzp2H8 takes the odd lanes of 16 bits, as Uzp2B16 does bytes.
func (f *Function) Uzp2H8(to, a, b V) { f.three("VUZP2", "H8", to, a, b) }

// Uzp1H8 takes the even lanes of 16 bits, as Uzp2B16 does the odd bytes.
func (f *Function) Uzp1H8(to, a, b V) { f.three("VUZP1", "H8", to, a, b) }

// Uzp1S4 takes the even lanes of 32 bits.
func (f *Function) Uzp1S4(to, a, b V) { f.three("VUZP1", "S4", to, a, b) }

// Uzp2S4 takes the odd lanes of 32 bits.
func (f *Function) Uzp2S4(to, a, b V) { f.three("VUZP2", "S4", to, a, b) }

// Zip1D2 takes the lower halves of both.
func (f *Function) Zip1D2(to, a, b V) { f.three("VZIP1", "D2", to, a, b) }

// UshrB16 shifts each byte to the right.
func (f *Function) UshrB16(to, a V, by int) {
	f.emit("VUSHR", fmt.Sprintf("$%d", by), a.in("B16"), to.in("B16"))
}

// UshrS4 shifts each lane of 32 bits to the right.
func (f *Function) UshrS4(to, a V, by int) {
	f.emit("VUSHR", fmt.Sprintf("$%d", by), a.in("S4"), to.in("S4"))
}

// UshrD2 shifts each half to the right.
func (f *Function) UshrD2(to, a V, by int) {
	f.emit("VUSHR", fmt.Sprintf("$%d", by), a.in("D2"), to.in("D2"))
}

// ShlS4 shifts each lane of 32 bits to the left.
func (f *Function) ShlS4(to, a V, by int) {
	f.emit("VSHL", fmt.Sprintf("$%d", by), a.in("S4"), to.in("S4"))
}

// TblB16 replaces each index by that byte of the table, or by 0 from 16 on.
func (f *Function) TblB16(to, table, indexes V) {
	f.emit("VTBL", indexes.in("B16"), "["+table.in("B16")+"]", to.in("B16"))
}

// Tbl4B16 replaces each index by that byte of four registers in a row, or by 0 from 64 on.
func (f *Function) Tbl4B16(to, table, indexes V) {
	f.emit("VTBL", indexes.in("B16"), table.four("B16"), to.in("B16"))
}

// ExtB16 takes the bytes of a from the given one on, and behind them the first ones of b.
func (f *Function) ExtB16(to, a, b V, from int) {
	f.emit("VEXT", fmt.Sprintf("$%d", from), b.in("B16"), a.in("B16"), to.in("B16"))
}
