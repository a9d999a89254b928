package main

import (
	"context"
	"fmt"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// copyTables writes the tables of the store -copy_of again: stores that differ in nothing but
// their filters can be compared.
func (r *session) copyTables() error {
	s := r.settings
	source := r.db.options()
	defer source.Cache.Unref()
	source.ErrorIfNotExists = true
	tables, err := store.TablesOf(s.copyOf, source)
	if err != nil {
		return err
	}
	o := r.db.options()
	defer o.Cache.Unref()
	bar := progress.Start(s.stderr, "copying tables", int(s.num))
	defer bar.Done()
	begun := timing.Now()
	if err := tables.Rewrite(r.db.DB, o, r.db.dir, func(keys int) error {
		bar.Add(keys)
		r.output.CopiedKeys += int64(keys)
		return context.Cause(r.ctx)
	}); err != nil {
		return err
	}
	r.output.CopySeconds = timing.Since(begun).Seconds()
	fmt.Fprintf(r.w, "copied tables with %d keys from %s in %.3f seconds\n", r.output.CopiedKeys, s.copyOf, r.output.CopySeconds)
	return nil
}
