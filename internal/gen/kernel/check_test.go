package kernel

import (
	"strings"
	"testing"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// leave is the end of a function that used vectors.
func leave(fn *Function) {
	fn.VZEROUPPER()
	fn.RET()
}

// TestCheck gives every check a function with a single mistake, which the check must find,
// and similar functions without one.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		level Level
		emit  func(fn *Function)
		want  string // the only errors; none: accepted
	}{
		{"nothing", Base, func(fn *Function) { fn.RET() }, ""},
		{"a prefetch", Base, func(fn *Function) { fn.PREFETCHT1(Mem{Base: reg.RAX}); fn.RET() }, ""},

		{"Y15 in AVX2", AVX2, func(fn *Function) { fn.VPADDD(reg.Y15, reg.Y15, reg.Y15); leave(fn) }, ""},
		{"Y16 in AVX2", AVX2, func(fn *Function) { fn.VPADDD(reg.Y1, reg.Y16, reg.Y1); leave(fn) }, "VPADDD uses Y16, a register of AVX-512"},
		{"Y20 loaded in AVX2", AVX2, func(fn *Function) { fn.VMOVDQU(Mem{Base: reg.RAX}, reg.Y20); leave(fn) }, "VMOVDQU uses Y20, a register of AVX-512"},
		{"X31 in AVX2", AVX2, func(fn *Function) { fn.VPADDD(reg.X1, reg.X1, reg.X31); leave(fn) }, "VPADDD uses X31, a register of AVX-512"},
		{"Y20 in AVX-512", AVX512, func(fn *Function) { fn.VPADDD(reg.Y20, reg.Y20, reg.Y20); leave(fn) }, ""},
		{"more than 16 at once in AVX2", AVX2, crowd, "VMOVDQU uses Y16, a register of AVX-512; VPADDD uses Y16, a register of AVX-512"},

		{"AVX in Base", Base, func(fn *Function) { fn.VPADDD(reg.X1, reg.X1, reg.X1); leave(fn) }, "needs AVX, beyond its level"},
		{"AVX2 in Base", Base, func(fn *Function) { fn.VPADDD(reg.Y1, reg.Y1, reg.Y1); leave(fn) }, "needs AVX, beyond its level; needs AVX2, beyond its level"},
		{"Z in AVX2", AVX2, func(fn *Function) { fn.VPADDD(reg.Z1, reg.Z1, reg.Z1); leave(fn) }, "needs AVX512F, beyond its level"},
		{"a mask in AVX2", AVX2, func(fn *Function) { fn.KMOVW(reg.K1, reg.EAX); fn.RET() }, "needs AVX512F, beyond its level"},
		{"Z in AVX-512", AVX512, func(fn *Function) { fn.VPADDD(reg.Z1, reg.Z1, reg.Z1); leave(fn) }, ""},
		{"VBMI in AVX-512", AVX512, func(fn *Function) { fn.VPERMB(reg.Z1, reg.Z1, reg.Z1); leave(fn) }, ""},
		{"VPOPCNTDQ", AVX512, func(fn *Function) { fn.VPOPCNTD(reg.Z1, reg.Z1); leave(fn) }, "needs AVX512VPOPCNTDQ, beyond its level"},
		{"IFMA", AVX512, func(fn *Function) { fn.VPMADD52LUQ(reg.Z1, reg.Z1, reg.Z1); leave(fn) }, "needs AVX512IFMA, beyond its level"},
		{"GFNI in AVX-512", AVX512, func(fn *Function) { fn.VGF2P8MULB(reg.Z1, reg.Z1, reg.Z1); leave(fn) }, ""},
		{"GFNI in AVX2", AVX2, func(fn *Function) { fn.VGF2P8MULB(reg.Y1, reg.Y1, reg.Y1); leave(fn) }, "needs GFNI, beyond its level"},
		{"BMI2 in AVX2", AVX2, func(fn *Function) { fn.SHRXQ(reg.RAX, reg.RBX, reg.RCX); fn.RET() }, ""},
		{"BMI2", Base, func(fn *Function) { fn.SHRXQ(reg.RAX, reg.RBX, reg.RCX); fn.RET() }, "needs BMI2, beyond its level"},
		{"BMI", Base, func(fn *Function) { fn.ANDNQ(reg.RAX, reg.RBX, reg.RCX); fn.RET() }, "needs BMI, beyond its level"},
		{"POPCNT", Base, func(fn *Function) { fn.POPCNTQ(reg.RAX, reg.RAX); fn.RET() }, "needs POPCNT, beyond its level"},

		{"a legacy move into a vector", AVX2, func(fn *Function) { fn.MOVQ(reg.RAX, reg.X1); leave(fn) }, "needs SSE2, beyond its level"},
		{"a legacy move from a vector", AVX512, func(fn *Function) { fn.MOVQ(reg.X1, reg.RAX); leave(fn) }, "needs SSE2, beyond its level"},
		{"a legacy load", AVX2, func(fn *Function) { fn.MOVUPS(Mem{Base: reg.RAX}, reg.X1); leave(fn) }, "needs SSE, beyond its level"},
		{"a move into a vector", AVX2, func(fn *Function) { fn.VMOVQ(reg.RAX, reg.X1); leave(fn) }, ""},

		{"PCLMULQDQ in AVX2", AVX2, func(fn *Function) { fn.VPCLMULQDQ(U8(0), reg.X1, reg.X1, reg.X1); fn.RET() }, ""},
		{"PCLMULQDQ", Base, func(fn *Function) { fn.VPCLMULQDQ(U8(0), reg.X1, reg.X1, reg.X1); fn.RET() }, "needs AVX, beyond its level; needs PCLMULQDQ, beyond its level"},

		{"no VZEROUPPER where upper halves are zero", AVX2, func(fn *Function) { fn.VMOVQ(reg.RAX, reg.X1); fn.RET() }, ""},
		{"no VZEROUPPER", AVX2, func(fn *Function) { dirty(fn); fn.RET() }, "reaches RET without VZEROUPPER"},
		{"VZEROUPPER too early", AVX2, func(fn *Function) { fn.VZEROUPPER(); dirty(fn); fn.RET() }, "reaches RET without VZEROUPPER"},
		{"VZEROUPPER not quite last", AVX2, func(fn *Function) { dirty(fn); fn.VZEROUPPER(); fn.INCQ(reg.RAX); fn.RET() }, ""},
		{"the first of two without", AVX2, func(fn *Function) {
			dirty(fn)
			fn.JZ(LabelRef("other"))
			fn.RET()
			fn.Label("other")
			leave(fn)
		}, "reaches RET without VZEROUPPER"},
		{"the second of two without", AVX2, func(fn *Function) {
			dirty(fn)
			fn.JZ(LabelRef("other"))
			leave(fn)
			fn.Label("other")
			fn.RET()
		}, "reaches RET without VZEROUPPER"},
		{"a jump past it", AVX2, func(fn *Function) {
			dirty(fn)
			fn.JZ(LabelRef("end"))
			fn.VZEROUPPER()
			fn.Label("end")
			fn.RET()
		}, "reaches RET without VZEROUPPER"},
		{"dirty only when it comes back", AVX2, func(fn *Function) {
			fn.Label("again")
			fn.JZ(LabelRef("end"))
			dirty(fn)
			fn.JMP(LabelRef("again"))
			fn.Label("end")
			fn.RET()
		}, "reaches RET without VZEROUPPER"},
		{"a way without vectors", AVX2, func(fn *Function) {
			fn.JZ(LabelRef("end"))
			dirty(fn)
			fn.VZEROUPPER()
			fn.Label("end")
			fn.RET()
		}, ""},

		{"a tail call", AVX2, func(fn *Function) { fn.TailCall("other") }, ""},
		{"a tail call without VZEROUPPER", AVX2, func(fn *Function) { dirty(fn); fn.TailCall("other") }, "reaches JMP without VZEROUPPER"},
		{"a tail call with it", AVX2, func(fn *Function) { dirty(fn); fn.VZEROUPPER(); fn.TailCall("other") }, ""},
		{"a tail call before vectors", AVX2, func(fn *Function) {
			fn.JZ(LabelRef("vectors"))
			fn.TailCall("other")
			fn.Label("vectors")
			dirty(fn)
			leave(fn)
		}, ""},
		{"registers of AVX-512 only", AVX512, func(fn *Function) { fn.VPADDD(reg.Y16, reg.Y17, reg.Y18); fn.RET() }, ""},
		{"a tail call with a frame", Base, func(fn *Function) { fn.AllocLocal(8); fn.TailCall("other") }, "reaches JMP with 8 bytes on the stack"},
		{"a return with a frame", Base, func(fn *Function) { fn.AllocLocal(8); fn.RET() }, ""},

		{"no end", Base, func(fn *Function) { fn.INCQ(reg.RAX) }, "goes on behind its end"},
		{"no instruction", Base, func(*Function) {}, "goes on behind its end"},
		{"an end for some", Base, func(fn *Function) {
			fn.JZ(LabelRef("more"))
			fn.RET()
			fn.Label("more")
			fn.INCQ(reg.RAX)
		}, "goes on behind its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := NewFile("amd64", nil)
			c.emit(f.Function(c.level, "kernel", "func()"))
			_, err := f.Assembly("kernels")
			switch want := "kernel: " + strings.ReplaceAll(c.want, "; ", "\n"); {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && err == nil:
				t.Errorf("accepted, want %q", want)
			case c.want != "" && err.Error() != want:
				t.Errorf("refused with %q, want %q", err, want)
			}
		})
	}
}

func dirty(fn *Function) { fn.VPADDD(reg.Y1, reg.Y1, reg.Y1) }

// crowd needs 17 vectors at once.
func crowd(fn *Function) {
	var all []reg.VecVirtual
	for range 17 {
		y := fn.YMM()
		fn.VMOVDQU(Mem{Base: reg.RAX}, y)
		all = append(all, y)
	}
	for _, y := range all {
		fn.VPADDD(Mem{Base: reg.RAX}, y, reg.Y0)
	}
	leave(fn)
}

// TestEntries: what is jumped to has no frame, and no stub; tables have its address, and that of functions in Go.
func TestEntries(t *testing.T) {
	f := NewFile("amd64", declared(t, "package kernels\nvar entries [2]uintptr"))
	f.Entry(Base, "kernel", "func()").RET()
	caller := f.Function(Base, "caller", "func()")
	caller.AllocLocal(8)
	caller.Calls()
	caller.CallAt(reg.RCX)
	caller.RET()
	f.Addresses("entries", "kernel", "inGo")
	text, err := f.Assembly("kernels")
	for _, want := range []string{
		"TEXT ·kernel<>(SB), NOSPLIT, $0\n", "DATA ·entries+0(SB)/8, $·kernel<>(SB)\n", "DATA ·entries+8(SB)/8, $·inGo(SB)\n",
		"GLOBL ·entries(SB), RODATA|NOPTR, $16\n", "#include \"funcdata.h\"\n", "\tNO_LOCAL_POINTERS\n", "\tCALL CX\n",
	} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v, no %q in\n%s", err, want, text)
		}
	}
	if stubs, err := Stubs("kernels", f); err != nil || strings.Contains(string(stubs), "kernel()") || !strings.Contains(string(stubs), "caller()") {
		t.Errorf("%v, stubs\n%s", err, stubs)
	}

	f = NewFile("amd64", nil)
	fn := f.Entry(Base, "kernel", "func()")
	fn.AllocLocal(8)
	fn.RET()
	if _, err := f.Assembly("kernels"); err == nil || !strings.Contains(err.Error(), "is jumped to, but has 8 bytes on the stack") {
		t.Errorf("an entry with a frame: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a table of another size than the variable")
		}
	}()
	f = NewFile("amd64", declared(t, "package kernels\nvar entries [2]uintptr"))
	f.Addresses("entries", "inGo")
}

// TestStubsAreChecked: writing stubs first also returns the error.
func TestStubsAreChecked(t *testing.T) {
	f := NewFile("amd64", nil)
	fn := f.Function(AVX2, "kernel", "func()")
	dirty(fn)
	fn.RET()
	if _, err := Stubs("kernels", f); err == nil || !strings.Contains(err.Error(), "without VZEROUPPER") {
		t.Errorf("stubs of a bad function: %v", err)
	}
}
