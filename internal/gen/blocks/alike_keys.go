package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// AlikeKeys512 emits the kernels that hash many keys of 16 bytes, or words, and look them up in one pass: while some
// are hashed, the lines of those before are prefetched, and those before these are looked up. The three are
// independent, so that their instructions overlap. In two passes, keys took 1.23 times as long at 16 KiB, 1.3 at 1 MiB
// and 1.4 at 32 MiB (Emerald Rapids).
func AlikeKeys512(f *kernel.File) {
	for _, of := range []struct {
		name  string
		words int
	}{{"Alike", 2}, {"Words", 1}} {
		a := newAlike(f, "fastLocalContains"+of.name+"AVX512", of.words)
		multipliers := a.b.Fn.GP64()
		a.b.Fn.LEAQ(a.field("eight"), multipliers)
		a.b.Fn.CMPQ(a.field("probes"), U8(uint8(Layouts[0].Probes())))
		a.b.Fn.JA(LabelRef("more"))
		for i, l := range Layouts[:2] {
			if i > 0 {
				a.b.Fn.Label("more")
			}
			o := NewOctet512(NewProbes512(a.b.Fn, l, multipliers))
			a.loops(fmt.Sprint("upTo", l.Probes()), func(hashes Mem) reg.GPVirtual {
				o.found(hashes, a.b.Block)
				return o.oneByOne()
			})
		}

		a = newAlike(f, "splitBlockContains"+of.name+"AVX512", of.words)
		a.b.split = true
		o := newSplitOctet512(a.b.Fn)
		a.loops("blocks", func(hashes Mem) reg.GPVirtual { return spread(a.b.Fn, o.Answer(hashes, a.b.Block)) })
	}
}

// spread makes the bits of an octet its bytes.
func spread(fn *kernel.Function, answers reg.GPVirtual) reg.GPVirtual {
	lowest := fn.GP64()
	fn.MOVQ(fn.Words("lowest", 0x0101010101010101), lowest)
	fn.PDEPQ(lowest, answers, answers)
	return answers
}

// A way is a loop over octets: they are looked up some octets after they are hashed. The number is half of the ring's
// that has their hashes.
type way struct {
	name string
	lag  int
	far  bool // prefetches lines
}

// Far lines are prefetched 56 keys ahead. At 32 MiB, 24 take 1.09 times as long, and 104 as long (Emerald Rapids).
var ways = []way{{"Near", 2, false}, {"Far", 8, true}}

const mostLag = 8

// An alike is one of the kernels.
type alike struct {
	words      int // of a key
	b          *Batch
	field      func(name string) Mem
	ring       reg.GPVirtual // the room of hashes
	keys, hits reg.GPVirtual
	last       reg.GPVirtual // the last eight keys
	to, left   reg.GPVirtual // where the next answers go, and how many octets have none
}

func newAlike(f *kernel.File, name string, words int) *alike {
	signature, doc := "func(k *Kernel, keys *[]byte, hits *bool, n int) (done int)", []string{
		name + " hashes keys by XX64 and looks them up: n, which are whole eights, or those before the first eight",
		"that do not have 16 bytes each. It returns how many it looked up, and may first write other answers for these.",
	}
	if words == 1 {
		signature, doc = "func(k *Kernel, keys *uint64, hits *bool, n int)", []string{
			name + " hashes n words by XX64 and looks them up, in a far body. They are whole eights. It may first write other answers.",
		}
	}
	fn := f.Function(kernel.AVX512, name, signature, doc...)
	field := shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64()))
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	a := &alike{
		words: words, b: &Batch{Fn: fn, Body: fn.GP64(), Size: fn.GP64()}, field: field, ring: fn.GP64(),
		keys: param("keys"), hits: param("hits"), last: fn.GP64(), to: fn.GP64(), left: param("n"),
	}
	fn.MOVQ(field("body"), a.b.Body)
	fn.MOVQ(field("body").Offset(8), a.b.Size)
	shared.Room(fn, 2*mostLag*shared.Octet*shared.HashBytes, a.ring)
	fn.SHRQ(U8(3), a.left)
	return a
}

// loops emits both loops, and returns from them.
func (a *alike) loops(label string, answer func(hashes Mem) reg.GPVirtual) {
	fn := a.b.Fn
	p := hash.NewPiped(fn, a.words)
	fn.IMUL3Q(U32(uint32(shared.Octet*p.KeyBytes())), a.left, a.last)
	fn.LEAQ(Mem{Base: a.keys, Index: a.last, Scale: 1, Disp: -shared.Octet * p.KeyBytes()}, a.last)
	if a.words == 1 { // near lines gain nothing
		a.loop(label, ways[1], p, answer)
		return
	}
	fn.CMPQ(a.b.Size, fn.Variable("keysFarFrom"))
	fn.JGE(LabelRef(label + ways[1].name))
	for _, w := range ways {
		a.loop(label+w.name, w, p, answer)
	}
}

// loop emits one of them.
func (a *alike) loop(label string, w way, p *hash.Piped, answer func(hashes Mem) reg.GPVirtual) {
	const octetBytes = shared.Octet * shared.HashBytes
	fn, ringBytes := a.b.Fn, 2*w.lag*octetBytes
	behind := hash.PipedStages - 1 + w.lag // octets from one that is loaded to one that is looked up
	at, to := fn.GP64(), fn.GP64()
	inRing := func(back int) Mem {
		x := fn.GP64()
		fn.LEAQ(Mem{Base: at, Disp: -back * octetBytes}, x)
		fn.ANDQ(U32(uint32(ringBytes-1)), x)
		fn.ADDQ(a.ring, x)
		return Mem{Base: x}
	}
	fn.Label(label)
	fn.XORL(at.As32(), at.As32())
	fn.LEAQ(Mem{Base: a.hits, Disp: -behind * shared.Octet}, a.to)
	fn.ADDQ(U8(uint8(behind)), a.left)
	fn.Label(label + "Octets")
	if a.words > 1 {
		p.Unlike(a.keys, label+"Unlike")
		fn.Label(label + "Like")
	}
	var answers reg.GPVirtual
	fn.Interleave(func() {
		fn.Interleave(func() { p.Finish(Mem{Base: a.ring, Index: at, Scale: 1}) }, func() {
			fn.Interleave(p.Add, func() { p.Mix(a.keys) })
		})
		if w.far {
			hashes := inRing(1)
			for key := range shared.Octet {
				shared.FromMemory(fn, a.b.line(hashes.Offset(shared.HashBytes*key)))
			}
		}
	}, func() { answers = answer(inRing(w.lag)) })
	p.Next()
	fn.MOVQ(a.to, to)
	fn.CMPQ(to, a.hits) // the first octets had no hashes
	fn.CMOVQCS(a.hits, to)
	fn.MOVQ(answers, Mem{Base: to})
	fn.ADDQ(U8(shared.Octet), a.to)
	fn.ADDQ(U8(octetBytes), at)
	fn.ANDQ(U32(uint32(ringBytes-1)), at)
	fn.ADDQ(U32(uint32(shared.Octet*p.KeyBytes())), a.keys)
	a.b.NotBehind(a.keys, a.last)
	fn.DECQ(a.left)
	fn.JNZ(LabelRef(label + "Octets"))
	if a.words == 1 {
		fn.VZEROUPPER()
		fn.RET()
		return
	}
	fn.SUBQ(a.hits, a.to)
	a.end()

	fn.Comment("The eight before are the last.")
	fn.Label(label + "Unlike")
	fn.MOVQ(U32(uint32(behind)), a.left)
	fn.SUBQ(U32(shared.Octet*hash.SliceBytes), a.keys)
	fn.MOVQ(a.keys, a.last)
	fn.CMPQ(a.keys, fn.Address(fn.Param("keys")))
	fn.JCC(LabelRef(label + "Like"))
	fn.XORL(a.to.As32(), a.to.As32())
	a.end()
}

func (a *alike) end() {
	fn := a.b.Fn
	fn.Store(a.to, fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}
