package goleveldb

import (
	"bytes"
	"math"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// TestFailedFiltersMayContainEverything: where a filter has another size than its builder said, nothing of it is left
// in the buffer, which every reader takes for a filter that may contain every key.
func TestFailedFiltersMayContainEverything(t *testing.T) {
	b, err := linear.NewBuilder(23.4, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	var buffer util.Buffer
	buffer.Write([]byte("before"))
	g := generator{builder: b} // mayDiffer is left out
	for i := range uint64(3000) {
		b.AddUint64(i)
	}
	size := b.SizeBytes()
	g.Generate(&buffer)
	if got := buffer.Bytes(); string(got[:6]) != "before" || len(got) != 6+size+6 {
		t.Fatalf("%d bytes, want %d", len(got), 6+size+6)
	}
	for i, c := range buffer.Bytes()[6:] {
		if c != 0 {
			t.Fatalf("byte %d of %d is %d", i, size+6, c)
		}
	}
	if b.Len() != 0 {
		t.Errorf("%d keys are left for the next filter", b.Len())
	}
}

// TestFiltersOfTwoGigabytes are not built: goleveldb counts a block's bytes in 32 bits. In their place are six zeros,
// too.
func TestFiltersOfTwoGigabytes(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("filters of 2 GiB do not fit in the memory")
	}
	size := math.MaxInt32
	size += 6                                                                                                 // 2^31+5, which 32 bits do not have
	b, err := bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size), simdbloom.WithVerification()) // which is built late
	if err != nil {
		t.Fatal(err)
	}
	b.AddUint64(1)
	if got := b.SizeBytes(); got != size {
		t.Fatalf("%d bytes, want %d", got, size)
	}
	var buffer util.Buffer
	g := generator{builder: b}
	if g.Generate(&buffer); !bytes.Equal(buffer.Bytes(), make([]byte, 6)) {
		t.Errorf("%x", buffer.Bytes())
	}
	if b.Len() != 0 {
		t.Errorf("%d keys are left for the next filter", b.Len())
	}
}
