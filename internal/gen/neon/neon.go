// Package neon has the instructions that arm64 kernels are made of, since avo has none: an
// instruction is a method with named operands, a register has a number. Instructions that
// Go's assembler lacks are emitted as a WORD, with the output of `go tool objdump` for it
// as a comment. Tests compare the comment with both Go's and GNU's objdump.
//
// Files, signatures, stubs and checks are package kernel's.
package neon

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// X is a general register, of 64 bits. Those that a function may use freely are 0 to 17
// and 19 to 26: the others are the system's, the assembler's, Go's, the frame's.
type X uint8

// Zero is the register that is always 0.
const Zero X = 31

// V is a vector register, of 128 bits. A function may use all 32.
type V uint8

// String returns the register's name in Go's assembly.
func (x X) String() string {
	switch {
	case x == Zero:
		return "ZR"
	case x <= 26 && x != 18:
		return fmt.Sprint("R", uint8(x))
	}
	panic(fmt.Sprintf("R%d is reserved", uint8(x))) // a mistake in the generator
}

// check panics if the register does not exist.
func (v V) check() {
	if v > 31 {
		panic(fmt.Sprintf("V%d does not exist", uint8(v))) // a mistake in the generator
	}
}

// in returns the register with an arrangement, such as B16.
func (v V) in(arrangement string) string {
	v.check()
	return fmt.Sprintf("V%d.%s", uint8(v), arrangement)
}

// lane returns the name of one of the register's lanes.
func (v V) lane(size string, lane int) string { return fmt.Sprintf("%s[%d]", v.in(size), lane) }

// scalar returns the register's name in instructions that take a single value.
func (v V) scalar() string {
	v.check()
	return fmt.Sprint("F", uint8(v))
}

// four returns the name of four registers in a row.
func (v V) four(arrangement string) string {
	(v + 3).check()
	return fmt.Sprintf("[%s, %s, %s, %s]", v.in(arrangement), (v + 1).in(arrangement), (v + 2).in(arrangement), (v + 3).in(arrangement))
}

// Function is a function in the making.
type Function struct{ fn *kernel.Function }

// NewFunction begins a function of a file, which does not let pointers escape.
func NewFunction(f *kernel.File, name, signature string, doc ...string) *Function {
	return &Function{f.Function(kernel.NEON, name, signature, doc...)}
}

// emit emits an instruction. To avo its operands are labels, which it prints unchanged and
// allocates no registers for.
func (f *Function) emit(opcode string, operands ...string) {
	i := &ir.Instruction{Opcode: opcode}
	for _, o := range operands {
		i.Operands = append(i.Operands, operand.LabelRef(o))
	}
	f.fn.Instruction(i)
}

// word emits an instruction that Go's assembler lacks, with objdump's output for it.
func (f *Function) word(encoding uint32, meaning string) {
	f.emit("WORD", fmt.Sprintf("$0x%08x // %s", encoding, meaning))
}

// at returns an address.
func at(base X, offset int) string {
	if offset == 0 {
		return fmt.Sprintf("(%v)", base)
	}
	return fmt.Sprintf("%d(%v)", offset, base)
}

// indexed returns an address in an array of elements of 1<<shift bytes.
func indexed(base, number X, shift int) string {
	if shift == 0 {
		return fmt.Sprintf("(%v)(%v)", base, number)
	}
	return fmt.Sprintf("(%v)(%v<<%d)", base, number, shift)
}

// Label is the target of branches.
func (f *Function) Label(name string) { f.fn.Label(name) }

// branch emits a conditional branch to a label.
func (f *Function) branch(opcode, label string) { f.jump(opcode, label, true) }

func (f *Function) jump(opcode, label string, conditional bool) {
	f.fn.Instruction(&ir.Instruction{
		Opcode: opcode, Operands: []operand.Op{operand.LabelRef(label)}, IsBranch: true, IsConditional: conditional,
	})
}

// Return returns.
func (f *Function) Return() { f.fn.RET() }

// Argument loads an argument of 64 bits.
func (f *Function) Argument(to X, name string) {
	f.emit("MOVD", f.fn.Address(f.fn.Param(name)).Asm(), to.String())
}

// ArgumentByte loads an argument of a byte.
func (f *Function) ArgumentByte(to X, name string) {
	f.emit("MOVBU", f.fn.Address(f.fn.Param(name)).Asm(), to.String())
}

// Result stores a result of 64 bits.
func (f *Function) Result(from X, name string) {
	f.emit("MOVD", from.String(), f.fn.Address(f.fn.Return(name)).Asm())
}

// Frame takes bytes on the stack, a multiple of 16, and loads their address, which is one, too. A
// function has at most one frame. It begins with anything.
func (f *Function) Frame(to X, bytes int) {
	const link = 8 // what the assembler adds
	f.fn.AllocLocal(bytes + link)
	f.emit("MOVD", fmt.Sprintf("$frame-%d(SP)", bytes), to.String())
}

// Field loads a field of 64 bits, of one of the file's structs to which a register
// points; of a slice the pointer or, 8 bytes further, the length.
func (f *Function) Field(to, from X, structure, field string, offset int) {
	f.Ldr(to, from, f.Offset(structure, field)+offset)
}

// Offset returns where a field of one of the file's structs is.
func (f *Function) Offset(structure, field string) int { return f.fn.Field(nil, structure, field).Disp }

// Variable loads the address of one of the package's variables.
func (f *Function) Variable(to X, name string) {
	f.emit("MOVD", "$"+f.fn.Variable(name).Asm(), to.String())
}

// Constant loads the address of constant 64-bit words.
func (f *Function) Constant(to X, name string, words ...uint64) {
	f.emit("MOVD", "$"+f.fn.Words(name, words...).Asm(), to.String())
}
