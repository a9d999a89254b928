package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// faults makes reads of tables fail, while it is on.
type faults struct {
	errorfs.Toggle
	counter errorfs.Counter
}

func newFaults(oneIn int, seed uint64) *faults {
	f := new(faults)
	random, lock := generator(seed, -1), sync.Mutex{}
	f.counter.Injector = errorfs.InjectorFunc(func(op errorfs.Op) error {
		if oneIn == 0 || op.Kind != errorfs.OpFileReadAt || !strings.HasSuffix(op.Path, ".sst") {
			return nil
		}
		lock.Lock()
		defer lock.Unlock()
		if random.IntN(oneIn) > 0 {
			return nil
		}
		return errorfs.ErrInjected
	})
	f.Injector = &f.counter
	return f
}

// counters are those of the filters, by the name that tables record.
type counters map[string]*simdbloom.Counters

// counted has a policy's lookups counted.
func (c counters) counted(p pebble.FilterPolicy) pebble.FilterPolicy {
	if c[p.Name()] == nil {
		c[p.Name()] = new(simdbloom.Counters)
	}
	return simdbloom.Counted(p, c[p.Name()])
}

// storeOptions make a store flush and compact all the time, through all levels. Only tests change
// policies by wrap.
func storeOptions(p *plan, prefixSize int, f *faults, c counters, log io.Writer, corruption func(pebble.DataCorruptionInfo),
	wrap func(pebble.FilterPolicy) pebble.FilterPolicy,
) (*pebble.Options, error) {
	o := &pebble.Options{
		FS:                 errorfs.Wrap(unsynced{vfs.Default}, f),
		Logger:             &logger{log: log},
		Comparer:           pebblestore.PrefixComparer(prefixSize),
		FormatMajorVersion: pebble.FormatMajorVersion(p.Format),
		ReadOnly:           p.Look,
		CacheSize:          p.CacheSize,
		MemTableSize:       64 << 10, L0CompactionThreshold: 2, L0StopWritesThreshold: 20,
		LBaseMaxBytes: 16 << 10,
		EventListener: &pebble.EventListener{DataCorruption: corruption}, // Pebble's own ends the process
	}
	o.Experimental.LevelMultiplier = 2 // many levels
	o.Experimental.EnableValueBlocks = func() bool { return true }
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = p.TableSize
	}
	for i, level := range p.Policies {
		policy, err := level.parse(i)
		if err != nil {
			return nil, err
		}
		if policy != nil {
			o.Levels[i].FilterPolicy = c.counted(wrap(policy))
		}
	}
	switch p.Filters {
	case allFilters:
		o.Filters = simdbloom.Filters()
	case ownFilters:
		o.Filters = simdbloom.Filters(bloom.FilterPolicy(10))
	}
	for name, policy := range o.Filters {
		o.Filters[name] = c.counted(wrap(policy))
	}
	return o, nil
}

// logger drops all but errors, and drops injected errors, too, since there are many.
type logger struct{ log io.Writer }

func (*logger) Infof(string, ...any) {}

func (l *logger) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "injected error") {
		fmt.Fprintln(l.log, text)
	}
}

func (l *logger) Fatalf(format string, args ...any) {
	fmt.Fprintf(l.log, format+"\n", args...)
	os.Exit(workerFailed)
}
