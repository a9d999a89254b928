package building

import (
	"bytes"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// pliant is a layout that tests adjust: FastLocal filters of any size and limit.
type pliant struct {
	bytesPerHash uint64
	most         uint64
	unit         int
	exactly      uint64 // the size of the body, if not 0
	forget       bool   // the last hash of every part
	parts        atomic.Int64
}

func (p *pliant) layOut(hashes uint64) Format {
	return Format{
		Layout:    Layout{MaxBodyBytes: p.most, TrailerBytes: trailerBytes, BlockBytes: asm.BlockBytes, Frame: putTrailer},
		BodyBytes: p.bodyBytes(hashes), UnitBlocks: p.unit, Probes: 6, NearBytes: 8 << 20, Fill: p.fill,
	}
}

// FastLocal's trailer.
const trailerBytes = 5

func putTrailer(data []byte, _, probes int) {
	copy(data[len(data)-trailerBytes:], []byte{0xff, 0, byte(probes)})
}

// read reads the filters.
func read(data []byte) (contents.Contents, string) {
	return contents.Contents{
		Format: asm.FastLocal, Body: data[:len(data)-trailerBytes], Probes: int(data[len(data)-3]),
		Prepare: func(c contents.Contents) asm.Kernel { return asm.NewFastLocal(c.Body, c.Probes) },
	}, ""
}

// readFlawed reads no filter.
func readFlawed([]byte) (contents.Contents, string) { return contents.Contents{}, "a flaw" }

func (p *pliant) bodyBytes(hashes uint64) uint64 {
	if p.exactly != 0 {
		return p.exactly
	}
	unit := uint64(p.unit) * asm.BlockBytes
	return (hashes*p.bytesPerHash + unit - 1) / unit * unit
}

func (p *pliant) fill(body []byte, part Part, f Format) {
	p.parts.Add(1)
	for hashes := range part.Hashes() {
		if p.forget {
			hashes = hashes[:len(hashes)-1]
		}
		asm.FastLocalAdd(body, f.Probes, hashes)
	}
}

// filling is a builder and its Scheme.
type filling struct {
	*Builder
	scheme *Blocks
}

func newBuilder(layOut func(hashes uint64) Format, o Options) filling {
	scheme := NewBlocks(layOut, &o)
	return filling{New(scheme, read, keyhash.XX64, &o), scheme}
}

// parts cuts a body of the given number of blocks for the hashes that were added.
func (f filling) parts(blocks, unit uint32) []Part {
	f.log.Flush()
	f.scheme.cut(&f.log, f.goroutines(), blocks, unit)
	return f.scheme.parts
}

func TestTooManyKeysAreAnErrorAndNothingIsLost(t *testing.T) {
	hashes := vectors.Hashes(1, 1000)
	for name, enlarge := range map[string]func(*pliant){
		"than the format holds":    func(p *pliant) { p.bytesPerHash, p.most = 64, 63_999 },
		"than the machine's int":   func(p *pliant) { p.bytesPerHash, p.most = math.MaxInt/1000+64, math.MaxUint64 },
		"than an int and a format": func(p *pliant) { p.bytesPerHash, p.most = math.MaxInt/500, asm.MaxBodyBytes },
	} {
		p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}
		b := newBuilder(p.layOut, *Apply[func(*Options)](nil))
		b.AddHashes(hashes)
		want, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}

		b.AddHashes(hashes[:600])
		enlarge(p)
		b.AddHashes(hashes[600:])
		for range 2 {
			if data, err := b.Finish(); !errors.Is(err, ErrTooLarge) || data != nil {
				t.Errorf("more %s: Finish gave %d bytes, %v", name, len(data), err)
			}
			if data, err := b.AppendFinish([]byte("kept")); !errors.Is(err, ErrTooLarge) || string(data) != "kept" {
				t.Errorf("more %s: AppendFinish gave %q, %v", name, data, err)
			}
			size := p.bodyBytes(1000) + uint64(trailerBytes)
			if b.Len() != 1000 || uint64(b.SizeBytes()) != min(size, math.MaxInt) {
				t.Errorf("more %s: Len %d, SizeBytes %d", name, b.Len(), b.SizeBytes())
			}
		}
		p.bytesPerHash, p.most = 2, asm.MaxBodyBytes
		if data, err := b.Finish(); err != nil || !bytes.Equal(data, want) {
			t.Errorf("more %s: after the error %v, or other bytes", name, err)
		}
	}
}

func TestVerificationFindsWhatIsMissing(t *testing.T) {
	hashes := vectors.Hashes(1, 5000)
	for _, goroutines := range []int{1, 2, 5} {
		p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1, forget: true}
		b := newBuilder(p.layOut, Options{Concurrency: goroutines, Verification: true})
		b.AddHashes(hashes)
		if data, err := b.Finish(); err != ErrVerification || data != nil {
			t.Errorf("%d goroutines: %d bytes, %v", goroutines, len(data), err)
		}
		if dst, err := b.AppendFinish([]byte("kept")); err != ErrVerification || string(dst) != "kept" {
			t.Errorf("%d goroutines: AppendFinish gave %d bytes, %v", goroutines, len(dst), err)
		}
		if b.Len() != len(hashes) {
			t.Errorf("%d goroutines: %d keys left", goroutines, b.Len())
		}
		p.forget = false
		if _, err := b.Finish(); err != nil {
			t.Errorf("%d goroutines: %v with all hashes", goroutines, err)
		}
	}
}

// TestSizesJustBelowTheMachinesInt has filters that fit a slice alone, but not
// with what must be beside them.
func TestSizesJustBelowTheMachinesInt(t *testing.T) {
	const trailer = trailerBytes
	p := &pliant{bytesPerHash: 1, most: math.MaxUint64, unit: 1}
	b := newBuilder(p.layOut, *Apply[func(*Options)](nil))
	b.AddHash(1)
	p.exactly = math.MaxInt - trailer - 62
	if _, err := b.Finish(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("no room for alignment: %v", err)
	}
	p.exactly = math.MaxInt - trailer - 2
	if dst, err := b.AppendFinish([]byte("four")); !errors.Is(err, ErrTooLarge) || string(dst) != "four" {
		t.Errorf("no room for what is before: %q, %v", dst, err)
	}
	if b.SizeBytes() != math.MaxInt-2 {
		t.Errorf("SizeBytes %d", b.SizeBytes())
	}
}

func TestMillibits(t *testing.T) {
	for bpk, want := range map[float64]int{
		0.5: 1000, 0.9999: 1000, 1: 1000, 1.0004: 1000, 1.0005: 1001, 10: 10_000, 23.4: 23_400,
		1.0264999989999999: 1027, 1.0244999989999999: 1025, // where fusing would round down
		1.0014999995: 1002, // with 0.5 for 0.500001 it would be 1001
		9.9999:       10_000, 99.9996: 100_000, 100: 100_000, 1e300: 100_000, 15.0015: 15_002,
	} {
		if got, err := Millibits(bpk); got != want || err != nil {
			t.Errorf("%v bits/key: %d, %v; want %d", bpk, got, err, want)
		}
	}
	for _, bpk := range []float64{0.49999, 0, -0.5, -1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		if got, err := Millibits(bpk); err == nil {
			t.Errorf("%v bits/key: %d, no error", bpk, got)
		}
	}
	if a, b := TotalMillibits(math.MaxUint64, 100_000), TotalMillibits(mostHashes, 100_000); a != b || a/100_000 != mostHashes {
		t.Errorf("%d for the most hashes", a)
	}
}

func TestRealMillibits(t *testing.T) {
	for _, c := range []struct {
		body, hashes uint64
		want         int
	}{
		{64, 51, 10_039},
		{64, 512, 1000},
		{64, 513, 998},
		{64, 512_000, 1},
		{64, 512_001, 0},
		{64, math.MaxUint64, 0},
		{64, 6, 85_333},
		{64, 5, 100_000},
		{64, 0, 100_000},
		{0, 0, 0},
		{asm.MaxBodyBytes, 1, 100_000},
		{asm.MaxBodyBytes, 1 << 30, 31_999},
	} {
		if got := RealMillibits(c.body, c.hashes); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
