package building

import (
	"bytes"
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// forgetful is a format that fills all parts but the one that has a block.
type forgetful struct {
	pliant
	block uint32
	in    bool
}

func (f *forgetful) layOut(hashes uint64) Format {
	l := f.pliant.layOut(hashes)
	l.BodyBytes, l.Fill = 1<<20, f.fill
	return l
}

func (f *forgetful) fill(body []byte, part Part, _ Format) {
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
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const blocks = 1 << 14
	hashes := vectors.Hashes(1, 40_000)
	for _, goroutines := range []uint32{1, 2, 5, 8} {
		for i := range goroutines {
			f := &forgetful{pliant: pliant{most: asm.MaxBodyBytes, unit: 1}, block: blocks/goroutines*i + blocks/goroutines/2, in: true}
			b := newBuilder(f.layOut, Options{Concurrency: int(goroutines), Verification: true, ListsFrom: 1})
			b.AddHashes(hashes)
			for range 2 {
				if data, err := b.Finish(); err != ErrVerification || data != nil {
					t.Errorf("%d goroutines, a hash missing in part %d: %d bytes, %v", goroutines, i, len(data), err)
				}
			}
			if len(b.scheme.parts) != int(goroutines) || b.Len() != len(hashes) {
				t.Errorf("%d goroutines: %d parts, %d hashes left", goroutines, len(b.scheme.parts), b.Len())
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

// TestContainsEach has one absent hash among some that are present.
func TestContainsEach(t *testing.T) {
	const stretch = batches.ManyBits
	hashes := vectors.Hashes(5, 3*stretch+5)
	body := make([]byte, 1<<16)
	kernel := asm.NewFastLocal(body, 6)
	asm.FastLocalAdd(body, 6, hashes)
	all := func(hashes []uint64) iter.Seq[[]uint64] { return slices.Chunk(hashes, 2*stretch+1) }
	if !containsEach(&kernel, all(hashes), nil) || !containsEach(&kernel, all(nil), nil) {
		t.Error("not all of the hashes that were added")
	}
	absent := slices.DeleteFunc(vectors.Hashes(6, 1000), kernel.Contains)
	for _, at := range []int{0, 1, 63, 64, stretch - 1, stretch, 2 * stretch, 2*stretch + 1, len(hashes) - 1} {
		some := slices.Clone(hashes)
		some[at] = absent[0]
		if containsEach(&kernel, all(some), nil) {
			t.Errorf("all, but hash %d is absent", at)
		}
	}
}

// TestVerificationReadsTheBytes has readers that find a flaw in a filter's bytes, or no key.
func TestVerificationReadsTheBytes(t *testing.T) {
	b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, Options{Concurrency: 1, Verification: true})
	for name, reader := range map[string]contents.Reader{
		"a flaw": readFlawed,
		"no key": func([]byte) (contents.Contents, string) { return contents.Contents{Format: asm.Empty}, "" },
	} {
		b.reader = reader
		for _, n := range []int{1, 100} {
			b.AddHashes(vectors.Hashes(1, n))
			if _, err := b.Finish(); err != ErrVerification || b.Len() != n {
				t.Errorf("%s: %v, %d hashes of %d left", name, err, b.Len(), n)
			}
			b.Reset()
		}
	}
	if data, err := b.Finish(); err != nil || len(data) != 0 {
		t.Errorf("without hashes: %d bytes, %v", len(data), err)
	}
}
