package timing

import (
	"fmt"
	"sync"
	"time"
)

// waited adds up the times of Stopwatches, and how long the process had no processor meanwhile.
var waited struct {
	sync.Mutex
	timed, without time.Duration
}

// note counts a section that was timed. Sections in which several threads work seem to have waited less than they have.
func note(timed, used time.Duration) {
	if used == 0 { // the system does not say
		return
	}
	waited.Lock()
	defer waited.Unlock()
	waited.timed += timed
	waited.without += max(timed-used, 0)
}

const (
	most  = 0.05        // the share that programs of a quiet machine wait
	least = time.Second // in less, one pause would be too much
)

// Begin forgets all earlier times.
func Begin() {
	waited.Lock()
	defer waited.Unlock()
	waited.timed, waited.without = 0, 0
}

// Busy returns a sentence for the user, if the machine had so much else to do that the times of Stopwatches mean
// little, or "".
func Busy() string {
	waited.Lock()
	defer waited.Unlock()
	if share := float64(waited.without) / float64(waited.timed); waited.timed >= least && share > most {
		return fmt.Sprintf("the machine is busy: while times were taken, this program waited %.0f %% of the time for a processor, so they are too long", 100*share)
	}
	return ""
}
