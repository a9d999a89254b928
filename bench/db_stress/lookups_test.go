package main

import (
	"strings"
	"testing"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// mistaken is a filter that says no for the last key of a batch, in one of the ways to look it up.
type mistaken struct {
	*root.Filter
	way string
}

func (f mistaken) ContainsKeys(keys [][]byte, hits []bool) {
	f.Filter.ContainsKeys(keys, hits)
	hits[len(hits)-1] = hits[len(hits)-1] && f.way != "ContainsKeys"
}

func (f mistaken) ContainsHashes(hashes []uint64, hits []bool) {
	if f.way == "ContainsHashes" {
		hashes = hashes[:len(hashes)-1] // and leaves the last one unwritten
	}
	f.Filter.ContainsHashes(hashes, hits)
}

func (f mistaken) ContainsHashBits(hashes, hits []uint64) {
	f.Filter.ContainsHashBits(hashes, hits)
	if last := len(hashes) - 1; f.way == "ContainsHashBits" {
		hits[last/64] &^= 1 << (last % 64)
	}
}

func (f mistaken) AppendHits(dst []int, hashes []uint64) []int {
	dst = f.Filter.AppendHits(dst, hashes)
	if f.way == "AppendHits" && len(dst) > 0 {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func TestBatchesThatDiffer(t *testing.T) {
	var all [][]byte
	for i := range 1000 {
		all = append(all, appendKey(nil, i))
	}
	keys, absent := all[:500], all[500:]
	b := policy.FastLocal(10).NewBuilder()
	b.AddKeys(keys)
	f, err := b.Filter()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"ContainsKeys", "ContainsHashes", "ContainsHashBits", "AppendHits"} {
		if _, err := lookUp(mistaken{f, way}, keys, absent, generator(1, 1)); err == nil || !strings.Contains(err.Error(), "by "+way) {
			t.Errorf("%s: %v", way, err)
		}
	}
	positive, err := lookUp(mistaken{f, ""}, keys, absent, generator(1, 1))
	if err != nil || len(positive) != len(absent) {
		t.Error(len(positive), err)
	}
	if _, err := lookUp(f, absent, keys, generator(1, 1)); err == nil || !strings.Contains(err.Error(), "by Contains") {
		t.Errorf("keys that were not added: %v", err)
	}
}
