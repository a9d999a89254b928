package building

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSectionsShareAllHashes tests that each hash is in the part and the section that have
// its block, that parts are whole units, and that sections overlap by no more than Fill
// allows.
func TestSectionsShareAllHashes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	even := vectors.Hashes(1, 10_000) // filters from 1<<14 on are built in parts
	inputs := map[string][]uint64{"even": even, "few": even[:300], "one": even[:1]}
	for i, hash := range even {
		low := uint64(uint32(hash))
		inputs["one list"] = append(inputs["one list"], hash&^(0x1ff<<asm.ListShift)|5<<asm.ListShift)
		inputs["one block"] = append(inputs["one block"], uint64(i)<<32|0x80001234)
		inputs["ends"] = append(inputs["ends"], hash&^0xffffffff|^uint64(0)>>32*uint64(i%2))
		inputs["steep"] = append(inputs["steep"], hash&^0xffffffff|low*low>>32*low>>32)
	}
	for _, from := range []uint64{0, 1 << 14, 1 << 30} {
		defer PartitionFrom(from)()
		for name, hashes := range inputs {
			want := vectors.SumOf(hashes)
			for _, unit := range []int{1, 32, 128} {
				for _, units := range []int{1, 3, 7, 100, 1000} {
					for _, goroutines := range []int{1, 2, 3, 8} {
						p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: unit}
						b := newBuilder(t, p, Settings{Concurrency: goroutines})
						b.AddHashes(hashes)
						b.log.Flush()
						b.cut(uint32(units*unit), uint32(unit))
						what := fmt.Sprintf("%s, %d units of %d, %d goroutines, from %d", name, units, unit, goroutines, from)
						checkParts(t, what, b, uint32(units*unit), uint32(unit), want)
						b.Reset()
					}
				}
			}
		}
	}
}

func checkParts(t *testing.T, what string, b *Builder, blocks, unit uint32, want vectors.Sum) {
	t.Helper()
	var all []uint64
	next := uint32(0)
	for _, part := range b.parts {
		from, to := part.Blocks()
		if from != next || to <= from || from%unit != 0 {
			t.Fatalf("%s: a part from %d to %d", what, from, to)
		}
		next = to
		var inSections []uint64
		lowest, end := from, from
		for i := range part.Sections() {
			first, beyond := part.SectionBlocks(i)
			if first < lowest || first > end || beyond < end || beyond > to {
				t.Fatalf("%s: section %d from %d to %d, behind one from %d to %d", what, i, first, beyond, lowest, end)
			}
			if i+2 < part.Sections() {
				if after, _ := part.SectionBlocks(i + 2); after/unit < (beyond-1)/unit+1 {
					t.Fatalf("%s: section %d ends at block %d, the one after the next begins at %d", what, i, beyond, after)
				}
			}
			lowest, end = first, beyond
			for mine := range part.Section(i) {
				for _, hash := range mine {
					if block := asm.Block(hash, blocks); block < first || block >= beyond {
						t.Fatalf("%s: a hash of block %d in the section from %d to %d", what, block, first, beyond)
					}
				}
				inSections = append(inSections, mine...)
			}
		}
		if end != to {
			t.Fatalf("%s: sections to %d in a part to %d", what, end, to)
		}
		at := 0
		for mine := range part.Hashes() {
			if !slices.Equal(mine, inSections[at:at+len(mine)]) {
				t.Fatalf("%s: other hashes than in sections", what)
			}
			at += len(mine)
		}
		if at != len(inSections) {
			t.Fatalf("%s: %d hashes, in sections %d", what, at, len(inSections))
		}
		all = append(all, inSections...)
	}
	if next != blocks || vectors.SumOf(all) != want {
		t.Fatalf("%s: %d hashes, fewer than there are or others", what, len(all))
	}
}

// TestPartsHaveEqualShares puts most hashes into a small part of the filter.
func TestPartsHaveEqualShares(t *testing.T) {
	defer PartitionFrom(0)()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	hashes := vectors.Hashes(1, 200_000)
	for i := range hashes[:150_000] {
		hashes[i] = hashes[i]&^0xf0000000 | 3<<28
	}
	const goroutines = 8
	p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 32}
	b := newBuilder(t, p, Settings{Concurrency: goroutines})
	b.AddHashes(hashes)
	b.log.Flush()
	b.cut(64_000, 32)
	if len(b.parts) != goroutines {
		t.Errorf("%d parts", len(b.parts))
	}
	for i, part := range b.parts {
		n := 0
		for mine := range part.Hashes() {
			n += len(mine)
		}
		if share := len(hashes) / goroutines; n > share+share/4 {
			t.Errorf("part %d has %d hashes, a fair share is %d", i, n, share)
		}
	}
}

func TestPartsStopWhenToldTo(t *testing.T) {
	defer PartitionFrom(0)()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := newBuilder(t, &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}, Settings{Concurrency: 2})
	b.AddHashes(vectors.Hashes(1, 50_000))
	b.log.Flush()
	b.cut(1000, 1)
	for _, part := range b.parts {
		n := 0
		for range part.Hashes() {
			if n++; n > 1 {
				t.Fatal("more hashes after break")
			}
			break
		}
	}
}

func TestListsOfBlocks(t *testing.T) {
	for _, blocks := range []uint32{1, 2, 3, asm.Lists - 1, asm.Lists, asm.Lists + 1, 1000, 1<<26 - 1} {
		for _, block := range []uint32{0, 1, blocks / 3, blocks / 2, blocks - 2, blocks - 1} {
			if block >= blocks {
				continue
			}
			first, last := firstList(block, blocks), lastList(block, blocks)
			for list := range asm.Lists {
				has := firstBlock(list, blocks) <= block && block <= lastBlock(list, blocks)
				if has != (first <= list && list <= last) {
					t.Errorf("block %d of %d: lists %d to %d, but list %d: %v", block, blocks, first, last, list, has)
				}
			}
		}
	}
}
