package goleveldb

import (
	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom"
)

// BuilderOf is where a generator has its builder.
func BuilderOf(g filter.FilterGenerator) **simdbloom.Builder { return &g.(*generator).builder }
