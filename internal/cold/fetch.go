package cold

import (
	"context"
	"slices"

	"github.com/simdbloom/simdbloom/internal/parallel"
)

// want is a unit that a call needs.
type want struct {
	file   *file
	number int32  // of the file
	from   uint64 // the unit's first byte in the filter
	entry  *entry
	data   []byte
	err    error
}

func (w *want) bytes() uint64 { return min(w.file.unit, w.file.length-w.from) }

// fetch gets units, in the order of files and bytes, from the cache, from other calls, or by requests.
func (f *Filter) fetch(ctx context.Context, wants []want) {
	pending := make([]*want, len(wants))
	for i := range wants {
		pending[i] = &wants[i]
	}
	for len(pending) > 0 {
		var own, others []*want
		for _, w := range pending {
			class := pieces
			if w.from+w.file.unit > w.file.more {
				class = headers
			}
			mine := false
			w.entry, mine = f.cache.get(key{w.number, int64(w.from)}, class)
			if mine {
				own = append(own, w)
			} else {
				others = append(others, w)
			}
		}
		runs := f.runs(own)
		parallel.Each(min(len(runs), f.requests), len(runs), func(_, i int) { f.readRun(ctx, runs[i]) })
		pending = pending[:0]
		for _, w := range others {
			if w.entry.isThere() {
				f.hits.Add(1)
			}
			again, err := w.entry.wait(ctx)
			if again {
				pending = append(pending, w)
			} else {
				w.data, w.err = w.entry.data, err
			}
		}
	}
}

// runs divides units into those that are read by one request.
func (f *Filter) runs(own []*want) (runs [][]*want) {
	from := 0
	for i, w := range own {
		if i > from {
			first, last := own[from], own[i-1]
			if w.file != last.file || w.from > last.from+last.bytes()+f.readCost || w.from+w.bytes() > first.from+uint64(f.share/8) {
				runs, from = append(runs, own[from:i]), i
			}
		}
	}
	if from < len(own) {
		runs = append(runs, own[from:])
	}
	return runs
}

// readRun reads units by one request.
func (f *Filter) readRun(ctx context.Context, run []*want) {
	first, last := run[0], run[len(run)-1]
	data := make([]byte, last.from+last.bytes()-first.from)
	err := f.read(ctx, first.file.name, data, first.file.body+int64(first.from))
	for _, w := range run {
		w.err = err
		if err == nil {
			w.data = data[w.from-first.from:][:w.bytes():w.bytes()]
			if w.err = w.file.check(w.data, w.from); w.err != nil {
				f.failures.Add(1)
			} else if len(run) > 1 {
				w.data = slices.Clone(w.data) // it stays, and the others may not
			}
		}
		w.entry.data, w.entry.err = w.data, w.err
		f.cache.put(w.entry, int64(len(w.data)))
	}
}
