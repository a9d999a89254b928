package ribbon_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

func TestStored(t *testing.T) {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	filters := make(map[string]*ribbon.Filter)
	add := func(name string, data []byte, hash keyhash.Hash) {
		f, err := ribbon.Open(data, hash)
		must(err)
		filters[name] = f
	}
	add("reserved", make([]byte, 6), keyhash.XXPH3)
	add("few blocks", append(make([]byte, 32), 0xfe, 0, 2, 0, 0), keyhash.XXPH3)
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, contract.OwnHash} {
		add(hash.Name()+", empty", nil, hash)
		for size, n := range map[string]int{"": 12, ", pieces": 120_000} {
			b, err := ribbon.NewBuilder(10, hash)
			must(err)
			b.AddKeys(vectors.Keys("le64", 0, n))
			data, err := b.Finish()
			must(err)
			add(hash.Name()+size, data, hash)
		}
	}
	contract.TestStored(t, filters, func(like *ribbon.Filter) *ribbon.Filter {
		f, err := ribbon.Open(make([]byte, 6), like.Hash())
		must(err)
		return f
	})
}
