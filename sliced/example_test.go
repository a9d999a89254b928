package sliced_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

func Example() {
	s := sliced.New(keyhash.XX64)
	for part := range 1000 {
		b := must(bloom.NewBuilder(16, keyhash.XX64))
		for i := range 100 {
			b.AddString(fmt.Sprintf("part %d, key %d", part, i))
		}
		must(s.Append(must(b.Filter())))
	}
	for _, part := range s.AppendKeyHits(nil, []byte("part 777, key 5")) {
		fmt.Println("read part", part)
	}
	// Output:
	// read part 777
}

// A log store has a filter for each segment. It looks a key up in those that are sealed, and drops the oldest segment
// when there are too many.
func Example_segments() {
	const mostSegments, keysOfSegment = 100, 500
	sealed := sliced.New(keyhash.XX64)
	size := must(sliced.SizeFor(simdbloom.FastLocal, keysOfSegment, 0.001))
	segments := make(map[int]string) // by the filters' ids
	var oldest []int

	seal := func(name string, keys [][]byte) {
		b := must(bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size))) // sizes of few kinds are looked up together
		b.AddKeys(keys)
		if len(oldest) == mostSegments {
			if err := sealed.Remove(oldest[0]); err != nil {
				log.Fatal(err)
			}
			delete(segments, oldest[0])
			oldest = oldest[1:]
		}
		id := must(sealed.Append(must(b.Filter()))) // the removed one's, if there is one
		segments[id] = name
		oldest = append(oldest, id)
	}
	for segment := range 250 {
		var keys [][]byte
		for i := range keysOfSegment - segment%50 {
			keys = append(keys, fmt.Appendf(nil, "%d/%d", segment, i))
		}
		seal(fmt.Sprintf("%04d.log", segment), keys)
	}
	for _, key := range []string{"200/7", "100/7"} {
		for _, id := range sealed.AppendKeyHits(nil, []byte(key)) {
			fmt.Println(key, "may be in", segments[id])
		}
	}
	fmt.Println(sealed.Len(), "segments")
	// Output:
	// 200/7 may be in 0200.log
	// 100 segments
}

// A folder of filter files becomes one file. A lookup then reads a few rows of it, and no filter file.
func Example_folder() {
	folder := must(os.MkdirTemp("", "filters"))
	defer os.RemoveAll(folder)
	for i := range 100 {
		b := must(bloom.NewBuilder(16, keyhash.XX64))
		b.AddUint64(uint64(i))
		path := filepath.Join(folder, fmt.Sprintf("%02d.filter", i))
		if err := filterfile.WriteFile(path, must(b.Filter())); err != nil {
			log.Fatal(err)
		}
	}

	paths := must(filepath.Glob(filepath.Join(folder, "*.filter"))) // sorted: path i has id i
	filters := make([]*simdbloom.Filter, len(paths))
	for i, path := range paths {
		filters[i] = new(simdbloom.Filter)
		if err := filters[i].UnmarshalBinary(must(os.ReadFile(path))); err != nil {
			log.Fatal(err)
		}
	}
	all := sliced.New(keyhash.XX64)
	must(all.AppendAll(filters))
	if err := all.WriteFile(filepath.Join(folder, "all.sliced")); err != nil {
		log.Fatal(err)
	}

	opened := must(sliced.Open(filepath.Join(folder, "all.sliced"), filterfile.WithLazyCheck()))
	defer opened.Close()
	hash := keyhash.XX64.SumUint64(42)
	for _, id := range opened.AppendHits(nil, hash) {
		fmt.Println(filepath.Base(paths[id]))
	}
	// Output:
	// 42.filter
}

// Parts are read one after the other, each once, until all keys are found.
func ExampleFilters_Candidates() {
	s := sliced.New(keyhash.XX64)
	for part := range 50 {
		m := must(bloom.NewMutable(100, 16, keyhash.XX64))
		m.AddUint64(uint64(part))
		m.AddUint64(uint64(part) + 1)
		must(s.Append(&m.Filter)) // a copy of what it has now
	}
	hashes := []uint64{keyhash.XX64.SumUint64(7), keyhash.XX64.SumUint64(30), keyhash.XX64.SumUint64(1000)}
	wanted := []uint64{0b111}
	for part, keys := range s.Candidates(hashes, wanted) {
		fmt.Println("part", part, "may have keys", keys)
		if part == 29 {
			wanted[0] &^= 1 << 1 // the caller found key 1 there
		}
	}
	// Output:
	// part 6 may have keys [0]
	// part 7 may have keys [0]
	// part 29 may have keys [1]
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
