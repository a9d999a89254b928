// Package progress shows how far a benchmark is: in the last line of a terminal, or by a line
// now and then in a log.
package progress

import (
	"fmt"
	"io"
	"os"
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
	b := &Bar{out: w, terminal: term.IsTerminal(int(file.Fd())), work: work, steps: max(1, steps), began: time.Now()}
	if !b.terminal {
		b.next = b.began.Add(firstLine)
	}
	return b
}

// Add moves the bar on by the given number of steps.
func (b *Bar) Add(steps int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.show(b.done + steps)
}

// To moves the bar on to the given number of steps from its begin.
func (b *Bar) To(done int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.show(done)
}

func (b *Bar) show(done int) {
	b.done = min(done, b.steps)
	now := time.Now()
	if b.out == nil || b.done == 0 || !now.After(b.next) {
		return
	}
	left := now.Sub(b.began) * time.Duration(b.steps-b.done) / time.Duration(b.done)
	text := fmt.Sprintf("%s: %d %%, %v left", b.work, 100*b.done/b.steps, left.Round(time.Second))
	if b.terminal { // one that is gone is no reason to stop, so errors are ignored
		fmt.Fprintf(b.out, "\r%s\x1b[K", text)
		b.next = now.Add(redraw)
	} else {
		fmt.Fprintln(b.out, text)
		b.next = now.Add(nextLine)
	}
}

// Done removes the bar from the terminal. Lines stay in the log.
func (b *Bar) Done() {
	if b.terminal {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
