package legacy_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

func TestStored(t *testing.T) {
	filters := map[string]*legacy.Filter{
		"empty":     open(t, nil),
		"Pebble's":  open(t, make([]byte, 5)),
		"FastLocal": open(t, append(make([]byte, 64), 0xff, 0, 6, 0, 0)),
	}
	for name, n := range map[string]int{"small": 12, "pieces": 120_000} {
		b := builder(t, 10)
		b.AddKeys(vectors.Keys("le64", 0, n))
		filters[name] = open(t, finish(t, b))
	}
	contract.TestStored(t, filters, func(*legacy.Filter) *legacy.Filter { return open(t, make([]byte, 6)) })
}
