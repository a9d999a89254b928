package paired_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

func TestStored(t *testing.T) {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	filters := make(map[string]*paired.Filter)
	add := func(name string, data []byte, hash keyhash.Hash) {
		f, err := paired.Open(data, hash)
		must(err)
		filters[name] = f
	}
	add("reserved", make([]byte, 6), keyhash.XX64)
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, contract.OwnHash} {
		add(hash.Name()+", empty", nil, hash)
		for blocks, n := range map[int]int{32: 12, 128: 120_000} {
			b, err := paired.NewBuilder(16, hash, paired.WithBatchBlocks(blocks))
			must(err)
			b.AddKeys(vectors.Keys("le64", 0, n))
			data, err := b.Finish()
			must(err)
			add(fmt.Sprint(hash.Name(), ", ", blocks), data, hash)
		}
	}
	contract.TestStored(t, filters, func(like *paired.Filter) *paired.Filter {
		f, err := paired.Open(make([]byte, 6), like.Hash())
		must(err)
		return f
	})
}
