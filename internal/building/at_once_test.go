package building

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// exact returns the options of a builder of a FastLocal body of the given size that adds hashes as they arrive.
func exact(bytes int) Options {
	return Options{
		Concurrency: 1, Limit: Exactly(bytes),
		AtOnce: func(body []byte) func(hashes []uint64) {
			k := asm.NewFastLocal(body, 6)
			k.EnableAdd()
			return k.AddAll
		},
	}
}

// TestExactSizeVerifies: an exact size does not switch the verification off.
func TestExactSizeVerifies(t *testing.T) {
	o := exact(1 << 10)
	o.Verification = true
	f := &forgetful{pliant: pliant{most: asm.MaxBodyBytes, unit: 1}, block: 1 << 13, in: true}
	b := newBuilder(f.layOut, o)
	b.AddHashes(vectors.Hashes(1, 1000))
	if _, err := b.Finish(); err != ErrVerification {
		t.Errorf("a filter without one of its hashes: %v", err)
	}
	b = newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, o)
	b.reader = readFlawed
	b.AddHashes(vectors.Hashes(1, 100))
	if _, err := b.Finish(); err != ErrVerification {
		t.Errorf("bytes of no filter: %v", err)
	}
}

// TestExactSizeBuildsAgain: what AppendFinish and Finish return has the hashes since the one before, and no others.
func TestExactSizeBuildsAgain(t *testing.T) {
	const size = 1 << 10
	b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, exact(size))
	if got, err := b.AppendFinish([]byte("x")); err != nil || string(got) != "x"+string(make([]byte, size)) {
		t.Errorf("without hashes: %d bytes, %v", len(got), err)
	}
	for seed := range uint64(6) {
		hashes := vectors.Hashes(seed, 400)
		b.AddHashes(hashes[:100])
		for i := range hashes[100:] { // some of which wait
			b.AddUint64(hashes[100+i])
			hashes[100+i] = keyhash.XX64.SumUint64(hashes[100+i])
		}
		want := make([]byte, size)
		asm.FastLocalAdd(want, 6, hashes)
		var got []byte
		var err error
		if seed%3 == 2 {
			got, err = b.Finish()
		} else {
			got, err = b.AppendFinish(nil)
		}
		if err != nil || !bytes.Equal(got, want) || b.Len() != 0 {
			t.Fatalf("filter %d has other bytes, %d hashes left, %v", seed, b.Len(), err)
		}
	}
}

// TestExactSizeReset: hashes before Reset are in no filter, also those that its memory has.
func TestExactSizeReset(t *testing.T) {
	const size = 1 << 10
	b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, exact(size))
	b.AddHashes(vectors.Hashes(1, 100_000))
	b.Reset()
	hashes := vectors.Hashes(2, 100)
	b.AddHashes(hashes)
	want := make([]byte, size)
	asm.FastLocalAdd(want, 6, hashes)
	if got, err := b.Finish(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes, %v", err)
	}
}
