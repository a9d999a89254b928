package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// progress tells how far a command is: on a terminal in one line that changes, otherwise in a line now and then.
// Any number of goroutines may use it at once.
type progress struct {
	w        io.Writer
	terminal bool
	quiet    bool

	mu     sync.Mutex
	what   string
	unit   string
	begun  time.Time
	last   time.Time
	length int // of the line that is on the terminal
}

const (
	onTerminal = 200 * time.Millisecond
	inLog      = 10 * time.Second
)

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, terminal: isTerminal(w)}
}

func isTerminal(w any) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// begin begins a phase, in which the unit is counted.
func (p *progress) begin(what, unit string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.unit = what, unit
	p.begun = time.Now()
	p.last = p.begun
}

// at tells that some of the unit are done, and which part of the phase, or 0 if that is unknown.
func (p *progress) at(done int64, part float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, every := time.Now(), inLog
	if p.terminal {
		every = onTerminal
	}
	if p.quiet || now.Sub(p.last) < every {
		return
	}
	p.last = now
	line := progressLine(p.what, p.unit, done, part, now.Sub(p.begun))
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
	}
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(p.length-len(line), 0)))
	p.length = len(line)
}

func progressLine(what, unit string, done int64, part float64, took time.Duration) string {
	line := fmt.Sprintf("%s: %s %s, %s/s", what, figures.Thousands(done), unit, perSecond(done, took))
	if part > 0 {
		part = min(part, 1)
		left := time.Duration(float64(took) * (1 - part) / part).Round(time.Second)
		line += fmt.Sprintf(", %.0f %%, %v left", 100*part, left)
	}
	return line
}

func perSecond(done int64, took time.Duration) string {
	rate := float64(done) / max(took.Seconds(), 1e-9)
	switch {
	case rate >= 999.5e6:
		return figures.ThreeDigits(rate/1e9) + " G"
	case rate >= 999.5e3:
		return figures.ThreeDigits(rate/1e6) + " M"
	}
	return figures.Thousands(int64(rate))
}

// end removes the line that is on the terminal.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.length > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.length))
		p.length = 0
	}
}

// say prints a line, unless -quiet was given.
func (p *progress) say(format string, args ...any) {
	p.end()
	if !p.quiet {
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}
