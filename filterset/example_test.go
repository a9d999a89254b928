package filterset_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// folderOfSets returns a folder for an example, and what removes it.
func folderOfSets() (folder string, remove func()) {
	folder, err := os.MkdirTemp("", "sets")
	if err != nil {
		log.Fatal(err)
	}
	return folder, func() { os.RemoveAll(folder) }
}

// newSet writes a set of the numbers between two.
func newSet(dir string, from, to uint64, options ...filterset.Option) {
	b, err := filterset.NewBuilder(dir, policy.Linear(12), int64(to-from), 64<<20, options...)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close() // removes everything if Finish is not reached
	for i := from; i < to; i++ {
		b.AddUint64(i)
	}
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// Build a set in a folder, within 64 MiB of memory, and look up keys.
func ExampleBuilder() {
	folder, remove := folderOfSets()
	defer remove()
	dir := filepath.Join(folder, "set")

	b, err := filterset.NewBuilder(dir, policy.Linear(12), 100_000, 64<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close() // removes everything if Finish is not reached
	for i := range uint64(100_000) {
		b.AddUint64(i)
	}
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}

	set, err := filterset.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	hits := make([]bool, 3)
	set.ContainsUint64s([]uint64{7, 99_999, 12_345_678}, hits)
	fmt.Println(hits, set.Err())
	fmt.Println(set.Info().Keys(), set.Hash().Name())
	// Output:
	// [true true false] <nil>
	// 100000 XX64
}

// Keys that are numbers of 8 bytes, many at a time.
func ExampleBuilder_AddColumn() {
	folder, remove := folderOfSets()
	defer remove()
	dir := filepath.Join(folder, "set")
	b, err := filterset.NewBuilder(dir, policy.FastLocal(10), 3, 64<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	b.AddColumn(keyhash.Values([]uint64{7, 8, 9}))
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}

	set, err := filterset.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.ContainsUint64(8), set.ContainsUint64(10))
	// Output: true false
}

// Each day's keys are a layer. A month's sets are merged.
func ExampleMerge() {
	folder, remove := folderOfSets()
	defer remove()
	march, april, year := filepath.Join(folder, "march"), filepath.Join(folder, "april"), filepath.Join(folder, "year")
	newSet(march, 0, 1000)
	newSet(april, 1000, 2000)
	newSet(april, 2000, 3000, filterset.WithLayer())
	if err := filterset.Merge(year, march, april); err != nil {
		log.Fatal(err)
	}

	set, err := filterset.Open(year)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.Info().Keys(), "keys in", len(set.Info().Layers), "layers")
	fmt.Println(set.ContainsUint64(500), set.ContainsUint64(2500))
	// Output:
	// 3000 keys in 3 layers
	// true true
}

// Compare all checksums, and see what the manifest says.
func ExampleSet() {
	folder, remove := folderOfSets()
	defer remove()
	newSet(folder, 0, 100_000, filterset.WithParts(4))

	set, err := filterset.Open(folder)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	if err := set.Verify(context.Background(), nil); err != nil {
		log.Fatal(err)
	}
	info := set.Info()
	fmt.Println(info.Format, info.Keys(), len(info.Layers[0].Parts))
	fmt.Printf("rate %.4f\n", set.Info().PredictedFPR())
	// Output:
	// simdbloom.Linear.XX64 100000 4
	// rate 0.0004
}

// Keys that were added before take no room.
func ExampleWithDistinct() {
	folder, remove := folderOfSets()
	defer remove()
	b, err := filterset.NewBuilder(folder, policy.Paired(16), 3, 64<<20, filterset.WithDistinct())
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	for _, key := range []string{"apple", "banana", "apple"} {
		b.AddString(key)
	}
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}
	set, err := filterset.Open(folder)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.Info().Keys())
	// Output: 2
}

// Parts that are built elsewhere, such as by many machines, and then the manifest, which is written last.
func ExampleBuildPart() {
	folder, remove := folderOfSets()
	defer remove()
	p := policy.Linear(12)
	const parts = 4
	info := filterset.Info{Format: p.Name(), Hash: p.Hash().Name()}
	layer := filterset.Layer{ID: "00000000000000c8", BitsPerKey: p.BitsPerKey(), Parts: make([]filterset.Part, parts)}

	var hashes [parts][]uint64
	for i := range uint64(100_000) {
		hash := p.Hash().SumUint64(i)
		part := filterset.PartOf(hash, parts)
		hashes[part] = append(hashes[part], hash)
	}
	if err := os.Mkdir(filepath.Join(folder, layer.Folder()), 0o777); err != nil {
		log.Fatal(err)
	}
	for part := range parts {
		data, made, err := filterset.BuildPart(p, hashes[part])
		if err != nil {
			log.Fatal(err)
		}
		layer.Parts[part] = made
		if err := os.WriteFile(filepath.Join(folder, layer.Folder(), filterset.PartFile(part)), data, 0o666); err != nil {
			log.Fatal(err)
		}
	}
	info.Layers = append(info.Layers, layer)
	text, err := info.MarshalText()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, filterset.Manifest), text, 0o666); err != nil {
		log.Fatal(err)
	}

	set, err := filterset.Open(folder)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.Info().Keys(), set.ContainsUint64(99_999), set.Err())
	// Output: 100000 true <nil>
}

// What a manifest says, whatever its key hash.
func ExampleInfo() {
	folder, remove := folderOfSets()
	defer remove()
	newSet(folder, 0, 1000)
	newSet(folder, 1000, 3000, filterset.WithLayer())

	text, err := os.ReadFile(filepath.Join(folder, filterset.Manifest))
	if err != nil {
		log.Fatal(err)
	}
	var info filterset.Info
	if err := info.UnmarshalText(text); err != nil {
		log.Fatal(err)
	}
	for _, layer := range info.Layers {
		fmt.Println(layer.Keys(), "keys,", layer.BitsPerKey, "bits/key")
	}
	// Output:
	// 1000 keys, 12 bits/key
	// 2000 keys, 12 bits/key
}

// A layer's files are in a folder of its own.
func ExampleLayer() {
	layer := filterset.Layer{ID: "00000000000000c8"}
	fmt.Println(layer.Folder() + "/" + filterset.PartFile(17))
	// Output: layer-00000000000000c8/00017.filter
}
