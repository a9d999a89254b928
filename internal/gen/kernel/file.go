// Package kernel writes assembly files of amd64 kernels: avo without its global state, and
// with checks for instructions that older machines lack, which tests on a new one cannot
// find.
package kernel

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// A File is an assembly file in the making.
type File struct {
	types     *types.Package
	ctx       *build.Context
	levels    map[string]Level       // of the functions
	constants map[string]operand.Mem // by their words
	names     map[string]int         // of constants, and of labels that Unused returned
	tables    []*ir.Global
	includes  []string
	compiled  *ir.File
}

// NewFile returns an empty file that is built under the constraint, in the
// words of a +build line. Signatures may name the types of a package, which may be
// nil.
func NewFile(constraint string, declared *types.Package) *File {
	if declared == nil {
		declared = types.NewPackage("kernels", "kernels")
	}
	f := &File{
		types:     declared,
		ctx:       build.NewContext(),
		levels:    make(map[string]Level),
		constants: make(map[string]operand.Mem),
		names:     make(map[string]int),
	}
	f.ctx.ConstraintExpr(constraint)
	return f
}

// A Function is a function in the making. Its instructions are avo's methods.
type Function struct {
	*build.Context
	file *File
}

// Function begins a function of the given level. It does not let pointers
// escape.
func (f *File) Function(level Level, name, signature string, doc ...string) *Function {
	f.levels[name] = level
	f.ctx.Function(name)
	f.ctx.Doc(doc...)
	f.ctx.Pragma("noescape")
	parsed, err := gotypes.ParseSignatureInPackage(f.types, signature)
	if err != nil {
		panic(err) // a mistake in the generator
	}
	f.ctx.Signature(parsed)
	return &Function{f.ctx, f}
}

// local is the end of the names of functions that only their file knows.
const local = "<>"

// Entry begins a function that another one jumps to, with more in registers than a caller in Go
// passes. So only its file knows it: Go finds its address in a table. It has no frame: with one it
// could begin with a check of the stack, which loses the registers.
func (f *File) Entry(level Level, name, signature string, doc ...string) *Function {
	fn := f.Function(level, name+local, signature, doc...)
	fn.Attributes(attr.NOSPLIT)
	return fn
}

// TailCall jumps to a function of the same signature, whose name is without its
// package. There must be nothing on the stack.
func (fn *Function) TailCall(name string) { fn.leaveTo(operand.LabelRef("·" + name + "(SB)")) }

// TailCallEntry is TailCall of an entry of the same file.
func (fn *Function) TailCallEntry(name string) { fn.TailCall(name + local) }

// TailCallAt is TailCall of the function whose address is in a register or in memory.
func (fn *Function) TailCallAt(address operand.Op) { fn.leaveTo(address) }

func (fn *Function) leaveTo(where operand.Op) {
	fn.Instruction(&ir.Instruction{Opcode: "JMP", Operands: []operand.Op{where}, IsTerminal: true})
}

// Addresses defines a variable of the package: an array, or structs, of the addresses of functions, which are
// entries of this file or functions in Go. Without a name, the address is 0.
func (f *File) Addresses(name string, functions ...string) {
	table := &ir.Global{Symbol: f.Variable(name).Symbol, Attributes: attr.RODATA | attr.NOPTR}
	for _, function := range functions {
		if _, ok := f.levels[function+local]; ok {
			function += local
		}
		if function == "" {
			table.Append(operand.U64(0))
			continue
		}
		table.Append(address{symbol: "$·" + function + "(SB)"})
	}
	if size := gotypes.Sizes.Sizeof(f.types.Scope().Lookup(name).Type()); size != int64(table.Size) {
		panic(fmt.Sprintf("%s has %d bytes, but its addresses have %d", name, size, table.Size))
	}
	f.tables = append(f.tables, table)
}

// An address is a word of data that the linker fills in.
type address struct {
	operand.U64
	symbol string
}

func (a address) Asm() string { return a.symbol }

// Calls begins a function that calls others. It declares that the function has no pointers on the stack but the
// arguments of calls, which Go wants to know of when it moves the stack.
func (fn *Function) Calls() {
	fn.file.includes = []string{"funcdata.h"}
	fn.Instruction(&ir.Instruction{Opcode: "NO_LOCAL_POINTERS"})
}

// Call calls a function, whose name is without its package. The caller [Function.Calls].
func (fn *Function) Call(name string) { fn.call(operand.LabelRef("·" + name + "(SB)")) }

// CallAt is Call of the function whose address the register has.
func (fn *Function) CallAt(address reg.Physical) { fn.call(address) }

func (fn *Function) call(where operand.Op) {
	fn.Instruction(&ir.Instruction{Opcode: "CALL", Operands: []operand.Op{where}})
}

// Words returns the address of constant 64-bit words in the file's read-only
// data. The same words have one address.
func (f *File) Words(name string, words ...uint64) operand.Mem {
	key := fmt.Sprint(words)
	if m, ok := f.constants[key]; ok {
		return m
	}
	m := f.ctx.StaticGlobal(f.unused(name))
	f.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, word := range words {
		f.ctx.AppendDatum(operand.U64(word))
	}
	f.constants[key] = m
	return m
}

// unused returns the name, with a number behind it if it is taken.
func (f *File) unused(name string) string {
	f.names[name]++
	if n := f.names[name]; n > 1 {
		return fmt.Sprint(name, n)
	}
	return name
}

// Variable returns the address of one of the package's variables.
func (f *File) Variable(name string) operand.Mem {
	if _, ok := f.types.Scope().Lookup(name).(*types.Var); !ok {
		panic(fmt.Sprintf("%s has no variable %s", f.types.Path(), name))
	}
	return operand.NewDataAddr(operand.Symbol{Name: "·" + name}, 0)
}

// Bytes is Words of eight bytes.
func (f *File) Bytes(name string, b [8]byte) operand.Mem {
	var word uint64
	for i, x := range b {
		word |= uint64(x) << (8 * i)
	}
	return f.Words(name, word)
}

// Address returns where an argument or a result is.
func (fn *Function) Address(c gotypes.Component) operand.Mem {
	basic, err := c.Resolve()
	if err != nil {
		panic(err) // a mistake in the generator
	}
	return basic.Addr
}

// Answer returns where a function returns whether it found a key.
func (fn *Function) Answer() operand.Mem { return fn.Address(fn.Return("found")) }

// Field returns the address of a field of one of the package's structs, which the
// register points to. Of a slice, it is that of the pointer. A field of a struct in the struct has
// both names, with a dot between them.
func (fn *Function) Field(base reg.Register, structure, field string) operand.Mem {
	fields, at := fn.file.structure(structure), 0
	first, rest, nested := strings.Cut(field, ".")
	for {
		i := slices.IndexFunc(slices.Collect(fields.Fields()), func(f *types.Var) bool { return f.Name() == first })
		if i < 0 {
			panic(fmt.Sprintf("%s has no field %s", structure, field))
		}
		at += int(gotypes.Sizes.Offsetsof(slices.Collect(fields.Fields()))[i])
		if !nested {
			return operand.Mem{Base: base, Disp: at}
		}
		fields = fields.Field(i).Type().Underlying().(*types.Struct)
		first, rest, nested = strings.Cut(rest, ".")
	}
}

// Size returns the size of one of the package's structs.
func (fn *Function) Size(structure string) int {
	return int(gotypes.Sizes.Sizeof(fn.file.structure(structure)))
}

// structure returns a struct of the package, whose fields must have sizes.
func (f *File) structure(name string) *types.Struct {
	declared := f.types.Scope().Lookup(name)
	if declared == nil {
		panic(fmt.Sprintf("%s has no type %s", f.types.Path(), name))
	}
	fields := declared.Type().Underlying().(*types.Struct)
	for i := range fields.NumFields() {
		if field := fields.Field(i); field.Type() == types.Typ[types.Invalid] {
			panic(fmt.Sprintf("%s.%s has a type of an unknown package", name, field.Name()))
		}
	}
	return fields
}

// Words is File.Words.
func (fn *Function) Words(name string, words ...uint64) operand.Mem {
	return fn.file.Words(name, words...)
}

// Unused returns the name of a label, with a number behind it if the file has used it.
func (fn *Function) Unused(label string) string { return fn.file.unused(label) }

// Variable is File.Variable.
func (fn *Function) Variable(name string) operand.Mem { return fn.file.Variable(name) }

// Bytes is File.Bytes.
func (fn *Function) Bytes(name string, b [8]byte) operand.Mem { return fn.file.Bytes(name, b) }

// passes are avo's pass.Compile without PruneSelfMoves. That one removes a MOVL of a
// register to itself, which zeroes the upper half, and also drops the control flow, which
// check needs.
var passes = pass.Concat(
	pass.Verify,
	pass.FunctionPass(pass.PruneJumpToFollowingLabel),
	pass.FunctionPass(pass.PruneDanglingLabels),
	pass.FunctionPass(pass.LabelTarget),
	pass.FunctionPass(pass.CFG),
	pass.InstructionPass(pass.ZeroExtend32BitOutputs),
	pass.FunctionPass(pass.Liveness),
	pass.FunctionPass(pass.AllocateRegisters),
	pass.FunctionPass(pass.BindRegisters),
	pass.FunctionPass(pass.VerifyAllocation),
	pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
	pass.Func(pass.IncludeTextFlagHeader),
	pass.FunctionPass(pass.RequiredISAExtensions),
)

// compile allocates registers and checks every function.
func (f *File) compile() error {
	if f.compiled != nil {
		return nil
	}
	file, err := f.ctx.Result()
	if err != nil {
		return err
	}
	file.Includes = f.includes
	for _, table := range f.tables {
		file.AddSection(table)
	}
	if err := passes.Execute(file); err != nil {
		return err
	}
	for _, fn := range file.Functions() {
		if err := check(fn, f.levels[fn.Name]); err != nil {
			return fmt.Errorf("%s: %w", fn.Name, err)
		}
	}
	f.compiled = file
	return nil
}

// Assembly returns the text of the file, for a package of the given name.
func (f *File) Assembly(pkg string) ([]byte, error) {
	if err := f.compile(); err != nil {
		return nil, err
	}
	return wrap(printer.NewGoAsm(config(pkg)).Print(f.compiled))
}

// Stubs returns the Go declarations of all functions of the files but entries. The files share
// a constraint.
func Stubs(pkg string, files ...*File) ([]byte, error) {
	all := ir.NewFile()
	for _, f := range files {
		if err := f.compile(); err != nil {
			return nil, err
		}
		all.Constraints = f.compiled.Constraints
		for _, fn := range f.compiled.Functions() {
			if !strings.HasSuffix(fn.Name, local) {
				all.AddSection(fn)
			}
		}
	}
	return wrap(printer.NewStubs(config(pkg)).Print(all))
}

func config(pkg string) printer.Config { return printer.Config{Name: "internal/gen", Pkg: pkg} }
