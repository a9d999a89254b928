// Package progress shows how far a benchmark is: by a bar on a terminal, by a line now and
// then in a log.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// When a log gets its first line, and the others.
const (
	firstLine = 2 * time.Second
	nextLine  = 10 * time.Second
)

// Bar is how far some work is. Any number of goroutines may move it. The zero Bar shows
// nothing.
type Bar struct {
	lock        sync.Mutex // of what follows
	steps, done int
	show        func(done int)
	clear       func()
}

// Start begins to show the steps of some work: as a bar in the last line if w is a
// terminal, as lines if it is another file, and not at all if it is no file.
func Start(w io.Writer, work string, steps int) *Bar {
	file, ok := w.(*os.File)
	switch {
	case !ok:
		return new(Bar)
	case term.IsTerminal(int(file.Fd())):
		return newBar(w, work, steps)
	default:
		return newLines(w, work, steps)
	}
}

// newBar ignores errors, as newLines does: a terminal that is gone is no reason to stop.
func newBar(w io.Writer, work string, steps int) *Bar {
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(work),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
	return &Bar{steps: steps, show: func(done int) { _ = bar.Set(done) }, clear: func() { _ = bar.Clear() }}
}

func newLines(w io.Writer, work string, steps int) *Bar {
	next := time.Now().Add(firstLine)
	return &Bar{steps: steps, show: func(done int) {
		if now := time.Now(); now.After(next) {
			fmt.Fprintf(w, "%s: %d %%\n", work, 100*done/max(1, steps))
			next = now.Add(nextLine)
		}
	}}
}

// Add moves the bar on by the given number of steps, at most to its end.
func (b *Bar) Add(steps int) {
	if b.show == nil {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.done = min(b.done+steps, b.steps)
	b.show(b.done)
}

// Done takes the bar off the terminal. Lines stay in the log.
func (b *Bar) Done() {
	if b.clear != nil {
		b.clear()
	}
}
