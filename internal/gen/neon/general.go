package neon

import "fmt"

// Instructions of general registers, with operands in the order of Arm's manual: the
// destination first. Offsets are bytes.

// Ldr loads 64 bits.
func (f *Function) Ldr(to, base X, offset int) { f.emit("MOVD", at(base, offset), to.String()) }

// LdrW loads 32 bits, and clears those above.
func (f *Function) LdrW(to, base X, offset int) { f.emit("MOVWU", at(base, offset), to.String()) }

// LdrB loads a byte, and clears the bits above.
func (f *Function) LdrB(to, base X, offset int) { f.emit("MOVBU", at(base, offset), to.String()) }

// LdrH loads 16 bits, and clears those above.
func (f *Function) LdrH(to, base X, offset int) { f.emit("MOVHU", at(base, offset), to.String()) }

// LdrAt loads 64 bits of an array, by their number.
func (f *Function) LdrAt(to, base, number X) { f.emit("MOVD", indexed(base, number, 3), to.String()) }

// LdrNext loads 64 bits, and moves the address on by their eight bytes.
func (f *Function) LdrNext(to, base X) { f.emit("MOVD.P", at(base, 8), to.String()) }

// LdrBAt loads a byte of an array, by its number, and clears the bits above.
func (f *Function) LdrBAt(to, base, number X) { f.emit("MOVBU", indexed(base, number, 0), to.String()) }

// Ldp loads two registers.
func (f *Function) Ldp(to, second, base X, offset int) {
	f.emit("LDP", at(base, offset), fmt.Sprintf("(%v, %v)", to, second))
}

// LdpW loads two registers of 32 bits, and clears the bits above.
func (f *Function) LdpW(to, second, base X, offset int) {
	f.emit("LDPW", at(base, offset), fmt.Sprintf("(%v, %v)", to, second))
}

// LdpNext loads two registers, and moves the address on by their 16 bytes.
func (f *Function) LdpNext(to, second, base X) {
	f.emit("LDP.P", at(base, 16), fmt.Sprintf("(%v, %v)", to, second))
}

// StrAt stores 64 bits in an array, by their number.
func (f *Function) StrAt(from, base, number X) {
	f.emit("MOVD", from.String(), indexed(base, number, 3))
}

// StrBNext stores the lowest byte, and moves the address on by one.
func (f *Function) StrBNext(from, base X) { f.emit("MOVB.P", from.String(), at(base, 1)) }

// StrBAt stores the lowest byte in an array, by its number.
func (f *Function) StrBAt(from, base, number X) {
	f.emit("MOVB", from.String(), indexed(base, number, 0))
}

// Stp stores two registers.
func (f *Function) Stp(from, second, base X, offset int) {
	f.emit("STP", fmt.Sprintf("(%v, %v)", from, second), at(base, offset))
}

// Str stores 64 bits.
func (f *Function) Str(from, base X, offset int) { f.emit("MOVD", from.String(), at(base, offset)) }

// MovI loads a number.
func (f *Function) MovI(to X, number int) { f.emit("MOVD", fmt.Sprintf("$%d", number), to.String()) }

// AddShifted adds b shifted to the left.
func (f *Function) AddShifted(to, a, b X, shift int) {
	f.emit("ADD", fmt.Sprintf("%v<<%d", b, shift), a.String(), to.String())
}

// AddHigh adds b shifted to the right.
func (f *Function) AddHigh(to, a, b X, shift int) {
	f.emit("ADD", fmt.Sprintf("%v>>%d", b, shift), a.String(), to.String())
}

// AddI adds a number.
func (f *Function) AddI(to, a X, number int) {
	f.emit("ADD", fmt.Sprintf("$%d", number), a.String(), to.String())
}

// Sub subtracts.
func (f *Function) Sub(to, a, b X) { f.emit("SUB", b.String(), a.String(), to.String()) }

// SubsI subtracts a number, and sets the flags.
func (f *Function) SubsI(to, a X, number int) {
	f.emit("SUBS", fmt.Sprintf("$%d", number), a.String(), to.String())
}

// SubI subtracts a number.
func (f *Function) SubI(to, a X, number int) {
	f.emit("SUB", fmt.Sprintf("$%d", number), a.String(), to.String())
}

// And keeps the bits that are set in both.
func (f *Function) And(to, a, b X) { f.emit("AND", b.String(), a.String(), to.String()) }

// Bic keeps the bits of a that are clear in b.
func (f *Function) Bic(to, a, b X) { f.emit("BIC", b.String(), a.String(), to.String()) }

// Eor keeps the bits that differ.
func (f *Function) Eor(to, a, b X) { f.emit("EOR", b.String(), a.String(), to.String()) }

// EorHigh keeps the bits in which a and b shifted to the right differ.
func (f *Function) EorHigh(to, a, b X, shift int) {
	f.emit("EOR", fmt.Sprintf("%v>>%d", b, shift), a.String(), to.String())
}

// Orr joins the bits.
func (f *Function) Orr(to, a, b X) { f.emit("ORR", b.String(), a.String(), to.String()) }

// OrrShifted joins the bits of a and of b shifted to the left.
func (f *Function) OrrShifted(to, a, b X, shift int) {
	f.emit("ORR", fmt.Sprintf("%v<<%d", b, shift), a.String(), to.String())
}

// LslW shifts the lower 32 bits to the left by a register's number, and clears the
// upper ones.
func (f *Function) LslW(to, a, by X) { f.emit("LSLW", by.String(), a.String(), to.String()) }

// Lsl shifts to the left by a register's number.
func (f *Function) Lsl(to, a, by X) { f.emit("LSL", by.String(), a.String(), to.String()) }

// Lsr shifts to the right by a register's number.
func (f *Function) Lsr(to, a, by X) { f.emit("LSR", by.String(), a.String(), to.String()) }

// Adc adds, and one more if the comparison's first operand was not below the second.
func (f *Function) Adc(to, a, b X) { f.emit("ADC", b.String(), a.String(), to.String()) }

// DecLO subtracts 1 if the comparison's first operand was below the second.
func (f *Function) DecLO(to, a X) { f.emit("SBC", Zero.String(), a.String(), to.String()) }

// Ubfx takes some bits from the given one on, and clears the others.
func (f *Function) Ubfx(to, a X, from, bits int) {
	f.emit("UBFX", fmt.Sprintf("$%d", from), a.String(), fmt.Sprintf("$%d", bits), to.String())
}

// Rbit reverses the bits.
func (f *Function) Rbit(to, a X) { f.emit("RBIT", a.String(), to.String()) }

// Rev reverses the bytes.
func (f *Function) Rev(to, a X) { f.emit("REV", a.String(), to.String()) }

// Clz counts the zeros above the highest bit that is set.
func (f *Function) Clz(to, a X) { f.emit("CLZ", a.String(), to.String()) }

// LsrI shifts to the right.
func (f *Function) LsrI(to, a X, by int) {
	f.emit("LSR", fmt.Sprintf("$%d", by), a.String(), to.String())
}

// RorI rotates to the right.
func (f *Function) RorI(to, a X, by int) {
	f.emit("ROR", fmt.Sprintf("$%d", by), a.String(), to.String())
}

// Mul multiplies, and keeps the lower 64 bits.
func (f *Function) Mul(to, a, b X) { f.emit("MUL", b.String(), a.String(), to.String()) }

// Umulh multiplies, and keeps the upper 64 bits.
func (f *Function) Umulh(to, a, b X) { f.emit("UMULH", b.String(), a.String(), to.String()) }

// Umull multiplies the lower 32 bits of both to 64.
func (f *Function) Umull(to, a, b X) { f.emit("UMULL", b.String(), a.String(), to.String()) }

// CmpI compares with a number, for the branch that follows.
func (f *Function) CmpI(a X, number int) { f.emit("CMP", fmt.Sprintf("$%d", number), a.String()) }

// CmnI compares with a negative number.
func (f *Function) CmnI(a X, negative int) { f.emit("CMN", fmt.Sprintf("$%d", negative), a.String()) }

// TstI tests for the bits of a mask, for the branch that follows: equal means that none is
// set.
func (f *Function) TstI(a X, mask uint64) { f.emit("TST", fmt.Sprintf("$%#x", mask), a.String()) }

// Cmp compares a with b, for the instruction that follows.
func (f *Function) Cmp(a, b X) { f.emit("CMP", b.String(), a.String()) }

// CmpShifted compares a with b shifted to the right.
func (f *Function) CmpShifted(a, b X, shift int) {
	f.emit("CMP", fmt.Sprintf("%v>>%d", b, shift), a.String())
}

// CmpW compares the lower 32 bits.
func (f *Function) CmpW(a, b X) { f.emit("CMPW", b.String(), a.String()) }

// CcmpHS compares a with b if the last comparison's first operand was not below the second. Else
// a counts as above.
func (f *Function) CcmpHS(a, b X) {
	const above = 2 // carry, and not zero
	f.emit("CCMP", "HS", a.String(), b.String(), fmt.Sprintf("$%d", above))
}

// CincLO adds 1 if the comparison's first operand was below the second.
func (f *Function) CincLO(to, a X) { f.emit("CINC", "LO", a.String(), to.String()) }

// CincEQ adds 1 if both were equal.
func (f *Function) CincEQ(to, a X) { f.emit("CINC", "EQ", a.String(), to.String()) }

// CincHI adds 1 if the first operand was above the second.
func (f *Function) CincHI(to, a X) { f.emit("CINC", "HI", a.String(), to.String()) }

// CselHS takes a if the comparison's first operand was not below the second, else b.
func (f *Function) CselHS(to, a, b X) { f.emit("CSEL", "HS", a.String(), b.String(), to.String()) }

// CselLO takes a if the comparison's first operand was below the second, else b.
func (f *Function) CselLO(to, a, b X) { f.emit("CSEL", "LO", a.String(), b.String(), to.String()) }

// CsetEQ is 1 if the comparison found both equal, else 0.
func (f *Function) CsetEQ(to X) { f.emit("CSET", "EQ", to.String()) }

// B goes to a label.
func (f *Function) B(label string) { f.jump("JMP", label, false) }

// Beq goes to a label if both were equal.
func (f *Function) Beq(label string) { f.branch("BEQ", label) }

// Bne goes to a label if they were not.
func (f *Function) Bne(label string) { f.branch("BNE", label) }

// Bls goes to a label if the first operand was not above the second, both unsigned.
func (f *Function) Bls(label string) { f.branch("BLS", label) }

// Bhi goes to a label if the first operand was above the second, both unsigned.
func (f *Function) Bhi(label string) { f.branch("BHI", label) }

// Bge goes to a label if the first operand was not below the second, both signed.
func (f *Function) Bge(label string) { f.branch("BGE", label) }

// Bgt goes to a label if the first operand was above the second, both signed.
func (f *Function) Bgt(label string) { f.branch("BGT", label) }

// PrefetchL1 prefetches a line to the first-level cache.
func (f *Function) PrefetchL1(base X, offset int) { f.emit("PRFM", at(base, offset), "PLDL1KEEP") }
