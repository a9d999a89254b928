package kernel

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func TestInterleave(t *testing.T) {
	f := NewFile("amd64", nil)
	fn := f.Function(AVX2, "mixed", "func()", "")
	emit := func(r reg.GPPhysical, n int) func() {
		return func() {
			for i := range n {
				fn.ADDQ(operand.U8(i), r)
			}
		}
	}
	fn.NOP()
	fn.Interleave(emit(reg.RAX, 2), emit(reg.RCX, 4))
	fn.Interleave(emit(reg.RDX, 3), func() {})
	fn.Interleave(func() {}, emit(reg.RBX, 1))
	fn.RET()
	text, err := f.Assembly("kernels")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		switch fields := strings.Fields(line); {
		case len(fields) == 3 && fields[0] == "ADDQ":
			got = append(got, fields[1]+fields[2])
		case len(fields) == 1:
			got = append(got, fields[0])
		}
	}
	const want = "NOP $0x00,CX $0x00,AX $0x01,CX $0x02,CX $0x01,AX $0x03,CX $0x00,DX $0x01,DX $0x02,DX $0x00,BX RET"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}
