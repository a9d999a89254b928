package blobloom_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestBlobloomDumps has one flaw each, and what has none.
func TestBlobloomDumps(t *testing.T) {
	dump := func(blocks uint64, k uint32, size int) []byte {
		return append(contract.BlobloomHeader(blocks, k), make([]byte, size)...)
	}
	with := func(at int, b byte) []byte {
		data := dump(2, 7, 128)
		data[at] = b
		return data
	}
	for _, c := range []struct {
		data []byte
		flaw string
	}{
		{dump(1, 7, 63), "too short for the header and a block, 128 bytes"},
		{dump(2, 7, 64), "not as long as the blocks that the header counts"},
		{dump(2, 7, 192), "not as long as the blocks that the header counts"},
		{dump(2, 7, 129), "not as long as the blocks that the header counts"},
		{dump(1<<32, 7, 64), "not as long as the blocks that the header counts"},
		{with(0, 'B'), "not a dump of blobloom's version 0"},
		{with(11, 1), "not a dump of blobloom's version 0"},
		{with(21, 'c'), "the comment goes on after a zero"},
		{with(63, 1), "the comment goes on after a zero"},
		{dump(2, 0, 128), "k is 0"},
		{dump(2, 1, 128), ""},
		{dump(2, math.MaxUint32, 128), ""},
		{with(20, 'c'), ""},
		{nil, ""},
	} {
		testmem.BesideGuards(t, c.data, func(data []byte) {
			contents, flaw := blobloom.Read(data)
			if flaw != c.flaw {
				t.Errorf("%x: %q, want %q", data, flaw, c.flaw)
			}
			if flaw != "" || len(data) == 0 {
				return
			}
			k := binary.LittleEndian.Uint32(data[16:])
			if want := int(min(max(k, 2)-1, 1024)); contents.Probes != want || &contents.Body[0] != &data[64] || len(contents.Body) != 128 {
				t.Errorf("%x: %d probes, want %d; or another body", data, contents.Probes, want)
			}
		})
	}
	full := contract.BlobloomHeader(1, 7)
	for i := 20; i < 64; i++ {
		full[i] = 'c'
	}
	if _, flaw := blobloom.Read(append(full, make([]byte, 64)...)); flaw != "" {
		t.Errorf("a comment of 44 bytes: %s", flaw)
	}
}
