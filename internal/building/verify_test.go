package building

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// forgetful is a format that fills all parts but the one that has a block.
type forgetful struct {
	pliant
	block uint32
	in    bool
}

func (f *forgetful) BodyBytes() uint64 { return 1 << 20 }

func (f *forgetful) Fill(body []byte, part Part) {
	from, to := part.Blocks()
	missed := !f.in
	for hashes := range part.Hashes() {
		if from <= f.block && f.block < to && !missed {
			missed = true
			hashes = hashes[:len(hashes)-1]
		}
		asm.FastLocalAdd(body, 6, hashes)
	}
}

// TestVerificationInEveryPart has a hash missing in a single part, each part in turn.
func TestVerificationInEveryPart(t *testing.T) {
	defer PartitionFrom(0)()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const blocks = 1 << 14
	hashes := vectors.Hashes(1, 40_000)
	for _, goroutines := range []uint32{1, 2, 5, 8} {
		for i := range goroutines {
			f := &forgetful{pliant: pliant{most: asm.MaxBodyBytes, unit: 1}, block: blocks/goroutines*i + blocks/goroutines/2, in: true}
			b, err := New(func(uint64) Format { return f }, keyhash.XX64, Settings{Concurrency: int(goroutines), Verification: true})
			if err != nil {
				t.Fatal(err)
			}
			b.AddHashes(hashes)
			for range 2 {
				if data, err := b.Finish(); err != ErrVerification || data != nil {
					t.Errorf("%d goroutines, a hash missing in part %d: %d bytes, %v", goroutines, i, len(data), err)
				}
			}
			if len(b.parts) != int(goroutines) || b.Len() != len(hashes) {
				t.Errorf("%d goroutines: %d parts, %d hashes left", goroutines, len(b.parts), b.Len())
			}
			f.in = false
			want := make([]byte, 1<<20)
			asm.FastLocalAdd(want, 6, hashes)
			if data, err := b.Finish(); err != nil || !bytes.Equal(data[:1<<20], want) {
				t.Errorf("%d goroutines: %v, or other bytes, after an error", goroutines, err)
			}
		}
	}
}

func TestContainsAll(t *testing.T) {
	const stretch = answers.LongStretch
	hashes := vectors.Hashes(5, 3*stretch+5)
	body, words := make([]byte, 1<<16), make([]uint64, stretch/64)
	kernel := asm.NewFastLocal(body, 6)
	asm.FastLocalAdd(body, 6, hashes)
	if !ContainsAll(&kernel, hashes, words) || !ContainsAll(&kernel, nil, words) {
		t.Error("not all of the hashes that were added")
	}
	absent := vectors.Hashes(6, 1000)
	absent = slices.DeleteFunc(absent, kernel.Contains)
	for _, at := range []int{0, 1, 63, 64, stretch - 1, stretch, len(hashes) - 1} {
		some := slices.Clone(hashes)
		some[at] = absent[0]
		if ContainsAll(&kernel, some, words) {
			t.Errorf("all, but hash %d is absent", at)
		}
	}
}
