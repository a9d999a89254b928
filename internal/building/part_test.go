package building

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
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
		inputs["one list"] = append(inputs["one list"], hash&^(0x1ff<<fallback.ListShift)|5<<fallback.ListShift)
		inputs["one block"] = append(inputs["one block"], uint64(i)<<32|0x80001234)
		inputs["ends"] = append(inputs["ends"], hash&^0xffffffff|^uint64(0)>>32*uint64(i%2))
		inputs["steep"] = append(inputs["steep"], hash&^0xffffffff|low*low>>32*low>>32)
	}
	for _, from := range []uint64{1, 1 << 14, 1 << 30} {
		for name, hashes := range inputs {
			want := vectors.SumOf(hashes)
			for _, unit := range []int{1, 32, 128} {
				for _, units := range []int{1, 3, 7, 100, 1000} {
					for _, goroutines := range []int{1, 2, 3, 8} {
						p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: unit}
						b := newBuilder(p.layOut, Options{Concurrency: goroutines, ListsFrom: from})
						b.AddHashes(hashes)
						what := fmt.Sprintf("%s, %d units of %d, %d goroutines, from %d", name, units, unit, goroutines, from)
						checkParts(t, what, b, uint32(units*unit), uint32(unit), want)
						b.Reset()
					}
				}
			}
		}
	}
}

func checkParts(t *testing.T, what string, b filling, blocks, unit uint32, want vectors.Sum) {
	t.Helper()
	var all []uint64
	next := uint32(0)
	for _, part := range b.parts(blocks, unit) {
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
					if block := fallback.Block(hash, blocks); block < first || block >= beyond {
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
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	hashes := vectors.Hashes(1, 200_000)
	for i := range hashes[:150_000] {
		hashes[i] = hashes[i]&^0xf0000000 | 3<<28
	}
	const goroutines = 8
	p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 32}
	b := newBuilder(p.layOut, Options{Concurrency: goroutines, ListsFrom: 1})
	b.AddHashes(hashes)
	parts := b.parts(64_000, 32)
	if len(parts) != goroutines {
		t.Errorf("%d parts", len(parts))
	}
	for i, part := range parts {
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
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, Options{Concurrency: 2, ListsFrom: 1})
	b.AddHashes(vectors.Hashes(1, 50_000))
	for _, part := range b.parts(1000, 1) {
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
	for _, blocks := range []uint32{1, 2, 3, fallback.Lists - 1, fallback.Lists, fallback.Lists + 1, 1000, 1<<26 - 1} {
		for _, block := range []uint32{0, 1, blocks / 3, blocks / 2, blocks - 2, blocks - 1} {
			if block >= blocks {
				continue
			}
			first, last := firstList(block, blocks), lastList(block, blocks)
			for list := range fallback.Lists {
				has := firstBlock(list, blocks) <= block && block <= lastBlock(list, blocks)
				if has != (first <= list && list <= last) {
					t.Errorf("block %d of %d: lists %d to %d, but list %d: %v", block, blocks, first, last, list, has)
				}
			}
		}
	}
}

// TestSectionsOfSomeLists makes sections larger than a unit and smaller than a part.
func TestSectionsOfSomeLists(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	hashes := vectors.Hashes(1, 10_000)
	want := vectors.SumOf(hashes)
	for _, from := range []uint64{1 << 12, 1 << 14, 1 << 16} {
		for _, unit := range []int{1, 32, 128} {
			for _, units := range []int{7, 100, 511, 512, 513, 1000} {
				for _, goroutines := range []int{1, 2, 3, 8} {
					b := newBuilder((&pliant{bytesPerHash: 20, most: asm.MaxBodyBytes, unit: unit}).layOut, Options{Concurrency: goroutines, ListsFrom: from})
					b.AddHashes(hashes)
					if b.log.Flush(); !b.log.Partitioned() {
						t.Fatal("in no lists")
					}
					what := fmt.Sprintf("%d units of %d, %d goroutines, from %d", units, unit, goroutines, from)
					if want, got := listsPerSection(uint32(units*unit), uint32(unit), from), b.parts(uint32(units*unit), uint32(unit))[0].perSection; got != want {
						t.Fatalf("%s: %d lists in a section, want %d", what, got, want)
					}
					checkParts(t, what, b, uint32(units*unit), uint32(unit), want)
					b.Reset()
				}
			}
		}
	}
}

// TestSectionsOfLargeFilters covers filters of up to 4 GiB: only their numbers of blocks
// exist.
func TestSectionsOfLargeFilters(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	hashes := vectors.Hashes(11, 60_000)
	for i := range hashes[:2000] { // beside borders of lists
		hashes[i] = hashes[i]&^0xffffffff | uint64(uint32(uint64(i/4)<<fallback.ListShift+uint64(i%4)-2))
	}
	for i := range hashes[:20_000] {
		hashes[2000+i] = hashes[2000+i]&^0xffffffff | uint64(uint32(hashes[2000+i])>>9+123<<fallback.ListShift)
	}
	want := vectors.SumOf(hashes)
	for _, unit := range []uint32{1, 32, 128} {
		for _, blocks := range []uint32{16_384, 1 << 20, 1<<22 - 128, 1 << 22, 1<<22 + 128, 1 << 25, 1<<26 - 1} {
			blocks = blocks / unit * unit
			for _, goroutines := range []int{1, 2, 8} {
				b := newBuilder((&pliant{bytesPerHash: 20, most: asm.MaxBodyBytes, unit: int(unit)}).layOut, Options{Concurrency: goroutines, ListsFrom: 1 << 20})
				b.AddHashes(hashes)
				if parts := b.parts(blocks, unit); !b.log.Partitioned() || goroutines > 1 && len(parts) == 1 {
					t.Fatal("one part")
				}
				checkParts(t, fmt.Sprintf("%d blocks, unit %d, %d goroutines", blocks, unit, goroutines), b, blocks, unit, want)
				b.Reset()
			}
		}
	}
}

// TestPartsShareNoMemory reads two parts of one list in turn, as goroutines do.
func TestPartsShareNoMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const blocks = 100_000
	hashes := vectors.Hashes(12, 20_000)
	for i := range hashes {
		hashes[i] = hashes[i]&^(0x1ff<<fallback.ListShift) | 300<<fallback.ListShift
	}
	b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, Options{Concurrency: 2, ListsFrom: 1})
	b.AddHashes(hashes)
	parts := b.parts(blocks, 1)
	if len(parts) != 2 {
		t.Fatalf("%d parts", len(parts))
	}
	next, stop := iter.Pull(parts[0].Hashes())
	defer stop()
	nextOther, stopOther := iter.Pull(parts[1].Hashes())
	defer stopOther()
	for {
		mine, more := next()
		if !more {
			break
		}
		before := slices.Clone(mine)
		nextOther()
		if !slices.Equal(mine, before) {
			t.Fatal("the hashes of a part changed when those of another were read")
		}
	}
}

// TestPartsOfOneList has all hashes in one list, or two far from each other.
func TestPartsOfOneList(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const goroutines, n = 8, 160_000
	for _, other := range []uint64{0, 100} {
		hashes := vectors.Hashes(13, n)
		for i := range hashes {
			hashes[i] = hashes[i]&^(0x1ff<<fallback.ListShift) | (300+uint64(i%2)*other)<<fallback.ListShift
		}
		b := newBuilder((&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut, Options{Concurrency: goroutines, ListsFrom: 1})
		b.AddHashes(hashes)
		parts := b.parts(1<<20, 1)
		if len(parts) != goroutines {
			t.Errorf("%d parts", len(parts))
		}
		for i, part := range parts {
			mine := 0
			for hashes := range part.Hashes() {
				mine += len(hashes)
			}
			if mine > n/goroutines*5/4 {
				t.Errorf("part %d has %d of %d hashes", i, mine, n)
			}
		}
	}
}
