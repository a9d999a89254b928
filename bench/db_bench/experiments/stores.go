package experiments

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

func (w *work) storeDir(c *results.Contestant) string { return filepath.Join(w.dir, fileName(c.Name)) }

// makeStores makes those of experiments that read: a source without filters, filled by ordinary writes, flushes and
// compactions (unless the experiment has fill), and its tables written again for each contestant. Otherwise timing
// would decide which keys are in which table, and so how many filters a lookup queries.
func (w *work) makeStores(ctx context.Context) error {
	if w.writes {
		return nil
	}
	source := filepath.Join(w.dir, "source")
	fmt.Fprintf(w.log, "%s: filling a store\n", w.name)
	fill := cmp.Or(w.fill, "fillrandom,flush,waitforcompaction")
	m, err := w.db(ctx, nil, "-benchmarks="+fill, fmt.Sprintf("-disable_auto_compactions=%t", w.fill != ""), "-disable_wal", "-seed=1",
		fmt.Sprintf("-writes=%d", w.x.Settings.Keys), "-db="+source)
	if err != nil {
		return err
	}
	w.x.Source = m.Store
	for _, c := range w.x.Contestants {
		fmt.Fprintf(w.log, "%s: writing the tables of %s\n", w.name, c.Name)
		m, err := w.db(ctx, c, "-benchmarks=", "-copy_of="+source, "-disable_auto_compactions", "-db="+w.storeDir(c))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		c.Store = m.Store
	}
	return nil
}
