// Package progress shows how far a benchmark is, to people: on a terminal, and
// nowhere else.
package progress

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar is a progress bar in the last line of a terminal, or nothing at all. Any
// number of goroutines may move it.
type Bar struct {
	bar  *progressbar.ProgressBar
	lock sync.Mutex // of left
	left int
}

// Start shows a bar for the steps of some work, if w is a terminal.
func Start(w io.Writer, work string, steps int) *Bar {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return new(Bar)
	}
	return newBar(w, work, steps)
}

func newBar(w io.Writer, work string, steps int) *Bar {
	return &Bar{left: steps, bar: progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(work),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
	)}
}

// Add moves the bar on by so many steps, at most to its end.
func (b *Bar) Add(steps int) {
	if b.bar != nil {
		b.lock.Lock()
		defer b.lock.Unlock()
		steps = min(steps, b.left)
		b.left -= steps
		_ = b.bar.Add(steps) // a terminal that is gone is no reason to stop
	}
}

// Done takes the bar off the terminal.
func (b *Bar) Done() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
