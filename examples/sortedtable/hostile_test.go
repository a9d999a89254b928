package main

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// TestDamage changes every byte of a file, and cuts the file everywhere. Lookups must find what they find in the sound
// file, or say that it is corrupt.
func TestDamage(t *testing.T) {
	const n = 60
	all := rows(n)
	prefix := extractor(t, "fixed:3")
	sound := write(t, policy.FastLocal(10), all, filterblock.Options{WholeKeys: true, Prefix: prefix})
	try := func(data []byte) error {
		table, err := open(data, filterblock.ReadOptions{Prefix: prefix})
		if err == nil {
			err = check(table, all, n)
		}
		return err
	}
	if err := try(sound); err != nil {
		t.Fatal(err)
	}
	for i := range sound {
		damaged := slices.Clone(sound)
		damaged[i] ^= 1 << (i % 8)
		if err := try(damaged); err != nil && !errors.Is(err, errCorrupt) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := try(sound[:i]); !errors.Is(err, errCorrupt) {
			t.Errorf("the first %d bytes: %v", i, err)
		}
	}
}

// TestDamagedPartition loses no key: what cannot be read may contain everything.
func TestDamagedPartition(t *testing.T) {
	all := rows(300)
	data := write(t, policy.FastLocal(10), all, filterblock.Options{WholeKeys: true})
	f, _, err := readFooter(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	data[f.filter.Offset-checksumBytes-1]++ // the last byte of the partition before the index
	errs := 0
	table, err := open(data, filterblock.ReadOptions{OnError: func(_ filterblock.Handle, err error) {
		if !errors.Is(err, errCorrupt) {
			t.Error(err)
		}
		errs++
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := check(table, all, 300); err != nil || errs == 0 {
		t.Error(err, errs)
	}
}

// FuzzTable opens tables of any blocks, with the right checksums.
func FuzzTable(f *testing.F) {
	p, o := policy.FastLocal(10), filterblock.Options{WholeKeys: true}
	good := write(f, p, rows(300), o)
	foot, end, err := readFooter(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		f.Fatal(err)
	}
	part := func(h filterblock.Handle) []byte { return good[h.Offset:][:h.Size] }
	f.Add(good[:foot.filter.Offset], part(foot.filter), part(foot.index), part(foot.properties), uint64(0))
	f.Add([]byte{}, []byte{}, []byte{}, []byte{}, end)
	f.Add([]byte{1}, []byte{2, 3}, []byte{0, 1, 'a', 0, 5, 0, 0, 0, 0, 1, 0, 0, 0}, []byte{0xff}, ^uint64(0))
	f.Fuzz(func(t *testing.T, data, filter, index, properties []byte, shift uint64) {
		var file bytes.Buffer
		file.Write(data)
		w := blockWriter{&file, uint64(len(data))}
		var foot footer
		foot.filter, _ = w.write(filter)
		foot.index, _ = w.write(index)
		foot.properties, _ = w.write(properties)
		foot.filter.Offset += shift // 0 is right
		file.Write(foot.append(nil, w.offset))

		table, err := open(file.Bytes(), filterblock.ReadOptions{Prefix: extractor(t, "fixed:3"), Cache: newCache(100)})
		if err != nil {
			return
		}
		keys := [][]byte{[]byte("000-1"), nil, []byte("zzz"), []byte("012-9")}
		if err := table.getMany(keys, make([][]byte, len(keys))); err == nil {
			for _, key := range keys {
				_, _, _ = table.get(key)
			}
		}
		for _, key := range keys {
			for range table.seek(key) {
			}
		}
	})
}
