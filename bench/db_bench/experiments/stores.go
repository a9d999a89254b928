package experiments

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// dir is where the experiment's stores are. It is another one when the experiment begins again.
func (w *work) dir() string {
	begun, err := time.Parse(time.RFC3339Nano, w.x.Begun)
	if err != nil {
		begun = time.Time{} // the file was edited: its stores will be missing
	}
	return filepath.Join(w.settings.dir, fmt.Sprintf("%s-%d", w.name, begun.UnixNano()))
}

func (w *work) sourceDir() string { return filepath.Join(w.dir(), "source") }

func (w *work) storeDir(c *results.Contestant) string {
	return filepath.Join(w.dir(), fileName(c.Name))
}

// makeStores makes those that are missing: a source without filters, filled by ordinary
// writes, flushes and compactions, and its tables written again for each contestant. Otherwise
// timing would decide which keys are in which table, and so how many filters a lookup queries.
func (w *work) makeStores(ctx context.Context) error {
	if err := os.MkdirAll(w.dir(), 0o755); err != nil || w.writes {
		return err
	}
	if !isThere(w.sourceDir()) {
		fmt.Fprintf(w.log, "%s: filling a store\n", w.name)
		m, err := w.makeStore(ctx, w.sourceDir(), nil, "-benchmarks=fillrandom,flush,waitforcompaction", "-disable_wal", "-seed=1",
			fmt.Sprintf("-writes=%d", w.x.Settings.Keys))
		if err != nil {
			return err
		}
		w.x.Source = m.Store
	}
	for _, c := range w.x.Contestants {
		if isThere(w.storeDir(c)) {
			continue
		}
		fmt.Fprintf(w.log, "%s: writing its tables with %s\n", w.name, c.Filter)
		m, err := w.makeStore(ctx, w.storeDir(c), c, "-benchmarks=", "-copy_of="+w.sourceDir(), "-disable_auto_compactions")
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		c.Store = m.Store
	}
	return w.save()
}

// makeStore makes a store that is whole if it is there: until then it has another name.
func (w *work) makeStore(ctx context.Context, dir string, c *results.Contestant, args ...string) (*measured, error) {
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, err
	}
	m, err := w.db(ctx, c, append(args, "-db="+part)...)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(part, dir); err != nil {
		return nil, err
	}
	return m, w.save()
}

func isThere(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}
