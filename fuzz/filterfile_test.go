package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// outside is a key hash that is not the library's.
var outside = keyhash.New("outside", keyhash.XX64.Sum64)

// FuzzFilterFile gives arbitrary bytes to everything that reads filter files, as they are and
// with right checksums, and to the filters that read their own.
func FuzzFilterFile(f *testing.F) {
	for _, name := range []string{
		"simdbloom.FastLocal:10", "bloomfilter:10", "simdbloom.Paired:10", "speedb.PairedBloomFilter:10", "simdbloom.Linear:10", "simdbloom.Ribbon:10", "simdbloom.SplitBlock:10",
		"rocksdb.internal.Standard128RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10",
	} {
		p, err := policy.Parse(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, n := range []int{0, 1, 500, 60_000} {
			if n > 1000 && p.Name() != "simdbloom.FastLocal.XX64" {
				continue
			}
			b := p.NewBuilder()
			b.AddHashes(vectors.Hashes(1, n))
			data, err := b.Finish()
			if err != nil {
				f.Fatal(err)
			}
			filter, err := p.Open(data)
			if err != nil {
				f.Fatal(err)
			}
			file, err := filterfile.Append(nil, filter, filterfile.WithKeys(n))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(file, queries, true)
			f.Add(bytes.Replace(file, []byte("XX64"), []byte("XX65"), 2), queries, true)
		}
	}
	f.Fuzz(func(t *testing.T, data, queried []byte, repaired bool) {
		if repaired {
			data = repair(slices.Clone(data))
		}
		checkFile(t, data, queried)
		testmem.BesideGuards(t, data, func(data []byte) { checkFile(t, data, queried) })
	})
}

func checkFile(t *testing.T, data, queried []byte) {
	var options []filterfile.OpenOption
	info, infoErr := filterfile.ReadInfo(bytes.NewReader(data))
	if infoErr == nil && info.Hash == outside.Name() {
		options = append(options, filterfile.WithHash(outside))
	}
	lazily := append(slices.Clone(options), filterfile.WithLazyCheck())
	f, err := filterfile.OpenBytes(data, options...)
	read, readErr := filterfile.Read(io.MultiReader(bytes.NewReader(data)), options...)
	if (readErr == nil) != (err == nil) {
		t.Fatalf("OpenBytes: %v, Read: %v", err, readErr)
	}
	lazy, lazyErr := filterfile.OpenBytes(data, lazily...)
	for _, err := range []error{infoErr, err, readErr, lazyErr} {
		if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, simdbloom.ErrUnknown) {
			t.Fatal(err)
		}
	}
	hashes := hashesIn(queried)
	if err != nil {
		checkStored(t, data, queried, nil)
		if lazyErr == nil {
			lazy.ContainsHashes(hashes, make([]bool, len(hashes)))
			lazy.ContainsKeys([][]byte{queried, data}, make([]bool, 2))
			if !errors.Is(lazy.Check(), simdbloom.ErrCorrupt) || lazy.Err() == nil {
				t.Fatalf("refused with %v, but not lazily", err)
			}
		}
		return
	}
	if lazyErr != nil || infoErr != nil {
		t.Fatal(lazyErr, infoErr)
	}
	checkStored(t, data, queried, f)
	want := f.ContainsHash
	for _, f := range []*filterfile.File{f, read, lazy, {Filter: lazy.CopyAligned()}} {
		if again, err := f.MarshalBinary(); f != lazy && (err != nil || !bytes.Equal(again, data)) {
			t.Fatalf("written again it is another file (%v)", err)
		}
		checkQueries(t, f, hashes, want)
		if checkKey(t, f, queried); f.Contains(queried) != read.Contains(queried) {
			t.Fatal("answers for a key differ")
		}
		if f.Info() != info || f.Err() != nil || f.NumProbes() != read.NumProbes() {
			t.Fatal(f.Info(), f.Err())
		}
	}
}

// repair sets the checksums that docs/files.md describes, if there is room for them.
func repair(file []byte) []byte {
	if len(file) < 40 {
		return file
	}
	names := int(binary.LittleEndian.Uint16(file[12:])) + int(binary.LittleEndian.Uint16(file[14:]))
	length, size := binary.LittleEndian.Uint64(file[16:]), 1<<16
	if file[8] == 2 { // smaller pieces
		length, size = length&(1<<48-1), 1<<(12+file[22]%4)
	}
	if length > uint64(len(file)) {
		return file
	}
	n := int(length)
	at, body := (40+names+7)/8*8, file[len(file)-n:]
	if end := at + (n+size-1)/size*8; end+8 <= len(file) {
		for ; at < end; at += 8 {
			piece := body[:min(size, len(body))]
			binary.LittleEndian.PutUint64(file[at:], xxhash.Sum64(piece))
			body = body[len(piece):]
		}
		binary.LittleEndian.PutUint64(file[end:], xxhash.Sum64(file[:end]))
	}
	return file
}
