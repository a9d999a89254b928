// Package store is shared by the benchmarks of Pebble stores: their options, what their
// tables are, which blocks are read, and tables that are written again with another filter.
package store

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Shape decides how many tables a store has in which levels.
type Shape struct {
	CacheBytes    int64 // of blocks
	CacheRoom     int64 // more of the cache, in bytes, for memtables
	MemTableBytes uint64
	MemTables     int // writes wait while this number of them is full
	TableBytes    int64
	LBaseBytes    int64 // in the first level below L0 that has tables
	L0Threshold   int   // sublevels of L0 at which its compaction begins
}

// Options returns options of stores of that shape, whose tables have the policy's filters, or
// none if it is nil. Call Unref of the options' Cache after opening.
func (s Shape) Options(fs vfs.FS, policy pebble.FilterPolicy) *pebble.Options {
	o := &pebble.Options{
		FS: fs, Logger: silent{}, FormatMajorVersion: pebble.FormatNewest,
		Cache: s.cache(), MaxOpenFiles: 10_000,
		MemTableSize: s.MemTableBytes, MemTableStopWritesThreshold: s.MemTables,
		LBaseMaxBytes: s.LBaseBytes, L0CompactionThreshold: s.L0Threshold,
	}
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = s.TableBytes
	}
	if policy != nil {
		for i := range o.Levels {
			o.Levels[i].FilterPolicy = policy
		}
	}
	return o
}

// cache returns a block cache with the shards that one of CacheBytes has, as blocks must fit into
// shards. Pebble makes 4 for each CPU, but 4 in all if they had less than 4 MiB each.
func (s Shape) cache() *pebble.Cache {
	const shards, least = 4, 4 << 20
	if s.CacheBytes/int64(shards*runtime.GOMAXPROCS(0)) < least {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // which Pebble multiplies
	}
	return pebble.NewCache(s.CacheBytes + s.CacheRoom)
}

// silent drops everything but errors.
type silent struct{}

func (silent) Infof(string, ...any) {}

func (silent) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s silent) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	os.Exit(1)
}

// PebbleVersion returns the version of the Pebble that was built in.
func PebbleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if strings.HasPrefix(module.Path, "github.com/cockroachdb/pebble") {
				return module.Version
			}
		}
	}
	return "unknown"
}
