package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// progress shows how far a run is: on a terminal in one line, elsewhere in a line every minute. The log has each
// mutant.
type progress struct {
	mu       sync.Mutex
	log      *os.File
	terminal bool
	packages []*pkg
	at       int // of the packages
	left     int // mutants of this package to be run, at first
	ran      int
	all      time.Duration // expected
	begun    time.Time
	shown    time.Time
}

func newProgress(folder string, packages []*pkg) (*progress, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := os.Stderr.Stat()
	return &progress{log: log, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0, packages: packages}, nil
}

func (p *progress) close() { p.log.Close() }

// begin begins a package, of whose mutants some are left to be run.
func (p *progress) begin(of *pkg, left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at++
	p.left, p.ran, p.begun = left, 0, time.Now()
	fmt.Fprintf(p.log, "%s %s: %d mutants, %d to be run\n", p.begun.Format(time.DateTime), of.folder, len(of.mutants), left)
	p.show(of.folder)
}

// expect tells the time of the processor that a package's mutants will take.
func (p *progress) expect(of *pkg, left int, takes time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.all = left, p.all+takes
	line := fmt.Sprintf("%s: %d mutants will take about %.2f hours of the processor, %.2f with those before", of.folder, left, takes.Hours(), p.all.Hours())
	fmt.Fprintln(p.log, line)
	fmt.Fprintln(os.Stderr, line)
}

// done stores a result.
func (p *progress) done(m *mutant, found result, memory *os.File) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m.result = found
	p.ran++
	if _, err := fmt.Fprintf(p.log, "%-12s %s\n", found, m.id); err != nil {
		return err
	}
	if every := 60 * time.Second; p.terminal || time.Since(p.shown) >= every {
		p.show(filepath.ToSlash(filepath.Dir(m.file)))
	}
	return remember(memory, m)
}

// note adds a line to the log.
func (p *progress) note(format string, values ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.log, format+"\n", values...)
}

func (p *progress) show(folder string) {
	p.shown = time.Now()
	estimate := ""
	if p.ran > 0 {
		rest := time.Since(p.begun) / time.Duration(p.ran) * time.Duration(p.left-p.ran)
		estimate = fmt.Sprintf(", %s left for it", rest.Round(time.Second))
	}
	line := fmt.Sprintf("package %d of %d, %s: %d of %d mutants%s", p.at, len(p.packages), folder, p.ran, p.left, estimate)
	if p.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(os.Stderr, line)
	}
}

// report prints the counts and what is to be done, and reports whether all survivors are known.
func report(p *progress, packages []*pkg, known map[string]string) bool {
	if p.terminal {
		fmt.Fprintln(os.Stderr)
	}
	rows := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(rows, "mutants\tkilled\tsurvived\tof these, without a reason\ttimed out\tnot compiled\tnot run\t  package")
	var all pkg
	all.folder = "all"
	for _, one := range packages {
		all.mutants = append(all.mutants, one.mutants...)
	}
	for _, one := range append(slices.Clone(packages), &all) {
		count, unknown := map[result]int{}, 0
		for _, m := range one.mutants {
			count[m.result]++
			if _, ok := known[m.id]; m.result == survived && !ok {
				unknown++
			}
		}
		fmt.Fprintf(rows, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", len(one.mutants)-count[invalid], count[killed], count[survived],
			unknown, count[timedOut], count[invalid], count[""], one.folder)
	}
	rows.Flush()

	c := compare(packages, known)
	for _, part := range []struct {
		title string
		names []string
	}{
		{"timed out, which shows that something is wrong, but not what:", names(c.slow)},
		{"stale in survivors.txt, as no function has this line:", c.gone},
		{"stale in survivors.txt, as a test finds it:", c.found},
		{"SURVIVED, and survivors.txt has no reason:", names(c.unknown)},
	} {
		if slices.Sort(part.names); len(part.names) > 0 {
			fmt.Printf("\n%s\n%s\n", part.title, strings.Join(part.names, "\n"))
		}
	}
	return len(c.unknown) == 0
}

func names(mutants []*mutant) (names []string) {
	for _, m := range mutants {
		names = append(names, m.id)
	}
	return names
}
