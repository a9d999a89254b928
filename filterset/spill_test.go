package filterset

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSpilledHashes: each list has its hashes again, in memory or from the file, and what cannot be read is an error.
func TestSpilledHashes(t *testing.T) {
	const lists = 4
	for _, n := range []int{0, 1, 1000, 100_000} {
		s := newSpill(filepath.Join(t.TempDir(), "hashes"), lists, 1)
		var want [lists]uint64
		var lens [lists]int64
		for i := range n {
			hash := uint64(i+1) * 0x9e3779b97f4a7c15
			s.add([]uint64{hash})
			list := partOf(hash, s.shift)
			want[list] += hash
			lens[list]++
		}
		if err := s.end(); err != nil {
			t.Fatal(err)
		}
		if onDisk := s.file != nil; onDisk != (n == 100_000) {
			t.Errorf("%d hashes are on disk: %v", n, onDisk)
		}
		block := make([]uint64, s.room)
		for list := range lists {
			got, seen := uint64(0), int64(0)
			err := s.each(list, block, func(hashes []uint64) {
				for _, hash := range hashes {
					got += hash
				}
				seen += int64(len(hashes))
			})
			if err != nil || got != want[list] || seen != lens[list] || s.len(list) != seen {
				t.Errorf("%d hashes, list %d: %d of %d, %v", n, list, seen, lens[list], err)
			}
		}
		if s.file != nil {
			if err := os.Truncate(s.path, 1000); err != nil {
				t.Log("the system does not change a file in use: ", err)
			} else if err := s.each(0, block, func([]uint64) {}); err == nil {
				t.Error("hashes that were cut off were read")
			}
		}
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	}
}
