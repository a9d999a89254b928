package fallback

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// ribbonBody builds a filter's body with the first seed that works.
func ribbonBody(hashes []uint64, blocks uint32, bodyBytes int, first byte) (body []byte, shape RibbonShape, seed byte, ok bool) {
	slots := int(blocks) * RibbonBlockSlots
	band := RibbonBand{make([][2]uint64, slots), make([]uint32, slots)}
	for i := range 256 {
		seed = first + byte(i)
		shape = NewRibbonShape(uint64(bodyBytes), blocks, seed)
		band.Clear(0, slots)
		if band.Add(shape.Slots, &shape, hashes, nil) {
			body = make([]byte, bodyBytes)
			RibbonSolveColumns(body, &shape, &band, 0, shape.Columns)
			return body, shape, seed, true
		}
	}
	return nil, shape, 0, false
}

func TestRibbonVectors(t *testing.T) {
	all := vectors.RibbonSized()
	for _, want := range vectors.RibbonRaw() {
		if want.Kind != "ribbon" {
			continue
		}
		want.NumSlots = want.NumBlocks * RibbonBlockSlots
		want.BodyLen = want.TotalLen - 5
		want.FirstSeed = byte(want.Hashes()[0])
		all = append(all, want)
	}
	absent := vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
	for _, want := range all {
		if testing.Short() && want.N > 50_000 {
			continue
		}
		hashes := want.Hashes()
		slices.Reverse(hashes) // the order does not matter
		body, shape, seed, ok := ribbonBody(hashes, want.NumSlots/RibbonBlockSlots, want.BodyLen, want.FirstSeed)
		if ok == (want.Kind == "fail") {
			t.Errorf("%s, n=%d: a seed works: %v", want.Set, want.N, ok)
		}
		if !ok {
			continue
		}
		sum := sha256.Sum256(append(slices.Clip(body), want.Trailer...))
		if !bytes.Equal(sum[:], want.SHA256) || seed != want.SeedUsed {
			t.Errorf("%s, n=%d, %d bytes: other bytes, or seed %d", want.Set, want.N, len(body), seed)
			continue
		}
		hits := make([]uint64, (max(len(absent), len(hashes))+63)/64)
		RibbonContainsBatch(body, &shape, absent, hits)
		answers := make([]bool, len(absent))
		for i, hash := range absent {
			answers[i] = hits[i/64]>>(i%64)&1 != 0
			if i < 1000 && RibbonContains(body, &shape, hash) != answers[i] {
				t.Fatalf("n=%d, %d bytes: hash %#x alone: not %v", want.N, len(body), hash, answers[i])
			}
		}
		if err := want.CheckAnswers(answers); err != nil {
			t.Errorf("%s, n=%d, %d bytes: %v", want.Set, want.N, len(body), err)
		}
		RibbonContainsBatch(body, &shape, hashes, hits)
		for i, hash := range hashes {
			if hits[i/64]>>(i%64)&1 == 0 {
				t.Fatalf("%s, n=%d, %d bytes: hash %#x was added", want.Set, want.N, len(body), hash)
			}
		}
	}
}

// TestRibbonEquationsOfOneLowHalf: what is left of two such equations begins 64 slots behind or more.
func TestRibbonEquationsOfOneLowHalf(t *testing.T) {
	band := RibbonBand{Rows: make([][2]uint64, 128), Results: make([]uint32, 128)}
	rows := []RibbonRow{{Low: 3, High: 2, Result: 5}, {Low: 3, High: 6, Result: 4}, {Low: 3, High: 6, Result: 4}}
	if !band.AddRows(128, rows, nil) || band.Rows[66] != [2]uint64{1} || band.Results[66] != 1 {
		t.Errorf("%v = %d", band.Rows[66], band.Results[66])
	}
	if band.AddRows(128, []RibbonRow{{Low: 3, High: 6, Result: 7}}, nil) {
		t.Error("a contradiction is added")
	}
}

// TestRibbonAnyBytes has any number of blocks in bodies of any size and content, beside memory
// that may not be touched.
func TestRibbonAnyBytes(t *testing.T) {
	hashes := append(vectors.Hashes(7, 60), 0, 1, 1<<64-1)
	for _, size := range []int{0, 1, 15, 16, 17, 32, 160, 1000, 1024, 1040, 1056, 4096} {
		data := make([]byte, size)
		for i, value := range vectors.Hashes(uint64(size), size) {
			data[i] = byte(value)
		}
		for i, blocks := range []uint32{2, 3, 4, 9, 10, 11, 64, 65, 1<<24 - 1} {
			seed := byte(97 * i)
			testmem.BesideGuards(t, data, func(body []byte) {
				shape := NewRibbonShape(uint64(len(body)), blocks, seed)
				var hits [1]uint64
				RibbonContainsBatch(body, &shape, hashes, hits[:])
				filter := append(slices.Clip(body), 0xfe, seed, byte(blocks), byte(blocks>>8), byte(blocks>>16))
				for i, hash := range hashes {
					want := naive.RibbonContains(filter, hash)
					if RibbonContains(body, &shape, hash) != want || hits[0]>>i&1 != 0 != want {
						t.Fatalf("%d bytes, %d blocks, hash %#x: not %v", size, blocks, hash, want)
					}
				}
				if hits[0]>>len(hashes) != 0 {
					t.Fatal("bits beyond the last hash")
				}
			})
		}
	}
}
