// Package copies copies values of types that must not be copied, where a comment says so, and of others.
package copies

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/redisbloom"
	"github.com/simdbloom/simdbloom/sliced"
)

type named struct {
	name   string
	filter simdbloom.Mutable
}

func ranged(fields []named, all []simdbloom.Concurrent) {
	for _, field := range fields { // copy
		field.filter.FoldTo(1)
	}
	for _, c := range all { // copy
		c.AddString("a")
	}
}

func given(m simdbloom.Mutable, c simdbloom.Concurrent, b simdbloom.Builder) {} // copy copy copy

func (f named) method() {} // copy

func returned(f *named) (named, simdbloom.Mutable) {
	return *f, f.filter // copy copy
}

func passed(f *named) []simdbloom.Mutable {
	func(any) {}(f.filter)                               // copy
	one := named{"", f.filter}                           // copy
	many := []named{one}                                 // copy
	return append([]simdbloom.Mutable{}, many[0].filter) // copy
}

func assigned(
	mutable *simdbloom.Mutable, concurrent *simdbloom.Concurrent, builder *simdbloom.Builder,
	bits *bitsandblooms.Mutable, dcsoMutable *dcso.Mutable, dcsoFile *dcso.File, redis *redisbloom.File,
	counters *filterblock.Counters, writer *filterblock.Writer, index *filterblock.IndexWriter,
	file *filterfile.File, setBuilder *filterset.Builder, set *filterset.Set, filters *sliced.Filters,
) {
	a := *mutable     // copy simdbloom.Mutable
	b := *concurrent  // copy simdbloom.Concurrent
	c := *builder     // copy simdbloom.Builder
	d := *bits        // copy bitsandblooms.Mutable
	e := *dcsoMutable // copy dcso.Mutable
	f := *dcsoFile    // copy dcso.File
	g := *redis       // copy redisbloom.File
	h := *counters    // copy filterblock.Counters
	i := *writer      // copy filterblock.Writer
	j := *index       // copy filterblock.IndexWriter
	k := *file        // copy filterfile.File
	l := *setBuilder  // copy filterset.Builder
	m := *set         // copy filterset.Set
	n := *filters     // copy sliced.Filters
	_, _, _, _, _, _, _ = &a, &b, &c, &d, &e, &f, &g
	_, _, _, _, _, _, _ = &h, &i, &j, &k, &l, &m, &n
}

func may(f *simdbloom.Filter, m *simdbloom.Mutable) (simdbloom.Filter, simdbloom.Filter) {
	g := *f
	h := m.Filter // looks up in m's bits: see TestCopiedFilter
	return g, h
}
