package parquet

import "testing"

// TestTogether: pieces are read at once up to a gap that costs as much as a read, and up to the most bytes, both
// inclusive.
func TestTogether(t *testing.T) {
	pieces := []piece{{from: 1000, to: 1100}, {from: 1050, to: 1060}, {from: 1110, to: 1200}, {from: 1211, to: 1300}}
	for _, test := range []struct {
		pieces         []piece
		readCost, most int64
		n              int
		to             int64
	}{
		{pieces, 0, 1000, 2, 1100}, // the second ends before the first
		{pieces, 9, 1000, 2, 1100},
		{pieces, 10, 1000, 3, 1200},
		{pieces, 10, 200, 3, 1200},
		{pieces, 10, 199, 2, 1100},
		{pieces, 11, 300, 4, 1300},
		{pieces, 11, 299, 3, 1200},
		{pieces[:1], 11, 10, 1, 1100}, // one is read, however large it is
	} {
		s := source{readCost: test.readCost}
		if n, to := s.together(test.pieces, test.most); n != test.n || to != test.to {
			t.Errorf("a read costs %d, %d bytes at most: %d of %d pieces up to %d, want %d up to %d", test.readCost, test.most, n, len(test.pieces), to, test.n, test.to)
		}
	}
}
