package kernel

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/reg"
)

// text assembles a file of one function.
func text(t *testing.T, emit func(f *File, fn *Function)) string {
	t.Helper()
	f := NewFile("amd64", nil)
	fn := f.Function(AVX512, "kernel", "func()")
	emit(f, fn)
	fn.RET()
	all, err := f.Assembly("kernels")
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestSelfMoveStays: it zeroes the upper half of the register.
func TestSelfMoveStays(t *testing.T) {
	if s := text(t, func(_ *File, fn *Function) { fn.MOVL(reg.EBX, reg.EBX) }); !strings.Contains(s, "MOVL BX, BX") {
		t.Errorf("gone from\n%s", s)
	}
	s := text(t, func(_ *File, fn *Function) {
		x, y := fn.GP64(), fn.GP64() // which may become one register
		fn.MOVQ(reg.RBX, x)
		fn.MOVL(x.As32(), y.As32())
		fn.MOVQ(y, reg.RBX)
	})
	if strings.Count(s, "MOVL") != 1 {
		t.Errorf("gone from\n%s", s)
	}
}

func TestField(t *testing.T) {
	f := NewFile("amd64", declared(t, `package filters
		type kind int
		type Filter struct { small bool; wide uint64; half uint32; bytes []byte; row [3]uint16; kind kind; last *[32]uint32 }`))
	fn := f.Function(Base, "kernel", "func(f *Filter)")
	for field, want := range map[string]int{"small": 0, "wide": 8, "half": 16, "bytes": 24, "row": 48, "kind": 56, "last": 64} {
		if at := fn.Field(reg.RAX, "Filter", field); at.Disp != want || at.Base != reg.RAX {
			t.Errorf("%s is at %s, not at %d", field, at.Asm(), want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a field that does not exist has a place")
		}
	}()
	fn.Field(reg.RAX, "Filter", "none")
}

// TestWords: equal words have one address, whatever their names; different words have
// different ones, even under the same name.
func TestWords(t *testing.T) {
	s := text(t, func(f *File, fn *Function) {
		one := f.Words("one", 1, 2)
		for name, same := range map[string]bool{"one": true, "another": true} {
			if m := fn.Words(name, 1, 2); (m == one) != same {
				t.Errorf("%s is at %s, one at %s", name, m.Asm(), one.Asm())
			}
		}
		for _, words := range [][]uint64{{1}, {2, 1}, {1, 2, 0}, {12}} {
			if m := f.Words("one", words...); m == one {
				t.Errorf("%d is at %s, as are 1 and 2", words, m.Asm())
			}
		}
		if f.Bytes("bytes", [8]byte{1, 7: 2}) != f.Words("words", 1|2<<56) {
			t.Error("bytes are not the word they make")
		}
	})
	for symbol, want := range map[string]int{"GLOBL": 6, "GLOBL one<>": 1, "GLOBL one2<>": 1, "GLOBL another<>": 0, "GLOBL words<>": 0} {
		if n := strings.Count(s, symbol); n != want {
			t.Errorf("%d times %q, not %d, in\n%s", n, symbol, want, s)
		}
	}
}
