package store

import (
	"context"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// Settle waits until no flush and no compaction has run for half a second. If the context ends
// first, it returns the cause.
func Settle(ctx context.Context, db *pebble.DB) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for quiet := 0; quiet < 5; quiet++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		if m := db.Metrics(); m.Compact.NumInProgress > 0 || m.Flush.NumInProgress > 0 {
			quiet = 0
		}
	}
	return nil
}
