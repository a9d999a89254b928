// Package progress shows how far a benchmark is: in the last line of a terminal, or by a line
// now and then in a log.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// When a terminal's line is written again, and when a log gets its first line and the others.
const (
	redraw    = 100 * time.Millisecond
	firstLine = 2 * time.Second
	nextLine  = 10 * time.Second
)

// Bar is how far some work is. Any number of goroutines may move it. The zero Bar shows
// nothing.
type Bar struct {
	lock        sync.Mutex // of what follows
	out         io.Writer  // nil: nothing is shown
	terminal    bool
	work        string
	steps, done int
	began, next time.Time
}

// Start begins to show the steps of some work: in the last line if w is a terminal, as lines
// if it is another file, and not at all if it is no file.
func Start(w io.Writer, work string, steps int) *Bar {
	file, ok := w.(*os.File)
	if !ok {
		return new(Bar)
	}
	return newBar(w, work, steps, term.IsTerminal(int(file.Fd())))
}

func newBar(w io.Writer, work string, steps int, terminal bool) *Bar {
	b := &Bar{out: w, terminal: terminal, work: work, steps: max(1, steps), began: time.Now()}
	if !terminal {
		b.next = b.began.Add(firstLine)
	}
	return b
}

// Add moves the bar on by the given number of steps, at most to its end.
func (b *Bar) Add(steps int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.done = min(b.done+steps, b.steps)
	now := time.Now()
	switch {
	case b.out == nil || !now.After(b.next) && (!b.terminal || b.done < b.steps):
	case b.terminal: // a terminal that is gone is no reason to stop, so errors are ignored
		const width = 30
		full := width * b.done / b.steps
		left := "?"
		if b.done > 0 {
			passed := now.Sub(b.began)
			left = (passed * time.Duration(b.steps-b.done) / time.Duration(b.done)).Round(time.Second).String()
		}
		fmt.Fprintf(b.out, "\r%s %3d %% [%s%s] %s left\x1b[K", b.work, 100*b.done/b.steps,
			strings.Repeat("=", full), strings.Repeat(" ", width-full), left)
		b.next = now.Add(redraw)
	default:
		fmt.Fprintf(b.out, "%s: %d %%\n", b.work, 100*b.done/b.steps)
		b.next = now.Add(nextLine)
	}
}

// Done takes the bar off the terminal. Lines stay in the log.
func (b *Bar) Done() {
	if b.terminal {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
