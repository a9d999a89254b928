package linear_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

func TestStored(t *testing.T) {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	filters := make(map[string]*linear.Filter)
	add := func(name string, data []byte, hash keyhash.Hash) {
		f, err := linear.Open(data, hash)
		must(err)
		filters[name] = f
	}
	add("always true", alwaysTrue, keyhash.XX64)
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, contract.OwnHash} {
		add(hash.Name()+", empty", nil, hash)
		for size, n := range map[string]int{"": 12, ", pieces": 120_000} {
			b, err := linear.NewBuilder(10, hash)
			must(err)
			b.AddKeys(vectors.Keys("le64", 0, n))
			data, err := b.Finish()
			must(err)
			add(hash.Name()+size, data, hash)
		}
	}
	contract.TestStored(t, filters, func(like *linear.Filter) *linear.Filter {
		f, err := linear.Open(alwaysTrue, like.Hash())
		must(err)
		return f
	})
}
