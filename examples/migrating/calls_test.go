package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestCalls makes the calls that stand in the page's tables for those of libraries that the program does not use.
func TestCalls(t *testing.T) {
	check := func(name string, ok bool) {
		t.Helper()
		if !ok {
			t.Error(name)
		}
	}
	const n, nbits, fpr, bits = 1000, 10_000, 0.01, 10
	values, h := []uint64{7, 70, 700}, make([]uint64, 3)

	ristretto := must(bloom.NewMutable(n, nbits/n, keyhash.XX64))
	check("AddIfNotHas", ristretto.AddHashIfAbsent(7) && !ristretto.AddHashIfAbsent(7) && ristretto.ContainsHash(7))
	ristretto.Reset()
	check("Clear", ristretto.EstimatedKeys() == 0 && ristretto.SizeBytes() > 0)
	check("JSON", json.Unmarshal(must(json.Marshal(ristretto)), new(simdbloom.Mutable)) == nil)

	parquet := must(splitblock.NewMutable(n, bits, keyhash.XX64))
	check("NumSplitBlocksOf", parquet.SizeBytes() == (n*bits/8+31)/32*32)
	h = keyhash.XX64.AppendColumn(h[:0], keyhash.Values(values))
	check("Sum64Uint64", h[0] == keyhash.XX64.SumUint64(7) && h[0] == keyhash.XX64.Sum64([]byte{7, 0, 0, 0, 0, 0, 0, 0}))
	parquet.AddHashes(h)
	check("CheckSplitBlock", splitblock.MayContainHash(parquet.Bytes(), h[1]))
	check("MakeSplitBlockFilter", must(splitblock.Open(parquet.Bytes(), keyhash.XX64)).ContainsHash(h[2]))
	must(simdbloom.OpenMutable(simdbloom.SplitBlock, parquet.Bytes(), keyhash.XX64)).AddHash(1)

	arrow := must(splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(splitblock.SizeFor(n, fpr))))
	arrow.AddColumn(keyhash.Values(values).WithValidity([]byte{0b1010}, 1))
	data := must(arrow.Finish())
	f := must(splitblock.Open(data, keyhash.XX64))
	check("Size", f.SizeBytes() == 2048 && len(splitblock.AppendHeader(nil, len(data))) > 0)
	check("GetSpacedHashes", f.ContainsUint64(7) && !f.ContainsUint64(70) && f.ContainsUint64(700))
	halves := must(splitblock.NewMutable(n, splitblock.BitsPerKeyFor(n, fpr), keyhash.XX64))
	halves.AddColumn(keyhash.Values([]int32{7}))
	found := make([]uint64, 1)
	halves.ContainsColumn(keyhash.Values([]int32{7, 8}), found)
	check("Check of 4 bytes", found[0] == 1)

	b := must(linear.NewBuilder(linear.BitsPerKeyFor(n, 1.0/256), keyhash.XX64))
	b.AddColumn(keyhash.Values(values))
	xor, hits := must(b.Filter()), make([]bool, 3)
	xor.ContainsUint64s(values, hits)
	check("Contains", xor.ContainsUint64(7) && !slices.Contains(hits, false))
	var saved bytes.Buffer
	must(xor.WriteTo(&saved))
	must(xor.ReadFrom(&saved))

	cuckoo, key := must(bloom.NewMutableForFPR(n, fpr, keyhash.XX64)), []byte("key")
	cuckoo.Add(key)
	check("InsertUnique", !cuckoo.AddIfAbsent(key) && cuckoo.AddIfAbsent([]byte("other")) && cuckoo.Contains(key) && !cuckoo.Full())
	check("Decode", cuckoo.UnmarshalBinary(must(cuckoo.MarshalBinary())) == nil)
}
