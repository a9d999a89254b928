package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/keys"
)

// parsed is a chunk of a list, with its keys.
type parsed struct {
	keys.Parsed
	chunk  *keys.Chunk
	hashes []uint64
	hits   []bool
	found  int64 // hits that are printed or counted
	out    []byte
}

// lists are the lists of keys that a command reads, one after the other.
type lists struct {
	input *input
	stdin io.Reader
	names []string // that are left
	sizes []int64  // of these
	small []small  // the first of these, read ahead

	inputs []*keys.Input // that were opened

	mu     sync.Mutex
	opened []io.Closer // of the list that is read
	closed bool
}

// each reads the files, calls work with chunks and their keys in several goroutines, and then done in order in this
// one.
func (i *input) each(ctx context.Context, s *streams, names []string, work func(p *parsed) error, done func(p *parsed) error) error {
	l := &lists{input: i, stdin: s.in, names: names, sizes: i.sizes}
	defer l.close(true)
	groups := keys.NewGroups(l.next)
	type result struct {
		group  *keys.Group
		parsed []*parsed
	}
	free := make(chan *result, 16)
	err := keys.InOrder(ctx, runtime.GOMAXPROCS(0), groups.Next, func(group *keys.Group) (*result, error) {
		var r *result
		select {
		case r = <-free:
		default:
			r = new(result)
		}
		r.group = group
		for len(r.parsed) < len(group.Chunks) {
			r.parsed = append(r.parsed, new(parsed))
		}
		for i := range group.Chunks {
			p := r.parsed[i]
			p.chunk = &group.Chunks[i]
			err := p.chunk.Parse(&p.Parsed)
			if err == nil {
				err = work(p)
			}
			if err != nil {
				return nil, err
			}
		}
		return r, nil
	}, func(r *result) error {
		for _, p := range r.parsed[:len(r.group.Chunks)] {
			p.chunk.Input.Keys = p.chunk.Input.Keys || len(p.Records) > 0
			i.odd.Add(&p.Odd)
			if err := done(p); err != nil {
				return err
			}
		}
		groups.Free(r.group)
		select {
		case free <- r:
		default:
		}
		return nil
	})
	if err != nil {
		return err
	}
	for n, input := range l.inputs {
		hint := input.Hint
		if hint == "" && input.Columns && strings.Contains(strings.ToLower(filepath.Base(names[n])), ".csv") {
			hint = "keys are whole lines: -csv reads a column"
		}
		i.ended(names[n], hint, !input.Keys)
	}
	return nil
}

// next opens the next list, or returns io.EOF.
func (l *lists) next() (*keys.Reader, error) {
	l.close(false)
	if len(l.names) == 0 {
		return nil, io.EOF
	}
	if len(l.small) == 0 {
		l.readSmall()
	}
	name := l.names[0]
	l.names, l.sizes = l.names[1:], l.sizes[1:]
	format, named, err := l.input.format() // which returned no error before
	if l.input.prefix != "" {
		format.Prefix, _, _ = strings.Cut(filepath.Base(name), ".")
	}
	from := l.stdin
	switch {
	case len(l.small) > 0:
		read := l.small[0]
		l.small = l.small[1:]
		from, err = bytes.NewReader(read.data), read.err
	case name != "-":
		var file *os.File
		if file, err = os.Open(name); err == nil {
			l.open(file)
			from = file
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, failures.WithoutName(err))
	}
	from = &counted{from, &l.input.read}
	if !l.input.raw {
		list := decode.NewReader(from, textOf(&format))
		l.open(list)
		from = list
	}
	var header func(row []byte) error
	if named {
		header = func(row []byte) error { return format.FindColumn(row, l.input.csv) }
	}
	r := keys.NewReader(from, &format, header)
	if name != "-" {
		r.Name = name
	}
	l.inputs = append(l.inputs, r.Input)
	return r, nil
}

// small is a small file's content.
type small struct {
	data []byte
	err  error
}

const (
	smallBytes  = 64 << 10 // of a file that is read ahead
	mostSmall   = 256      // files read ahead,
	aheadBytes  = 4 << 20  // of about these bytes at most,
	smallReader = 4        // goroutines
)

// readSmall reads the next files ahead that are small, side by side: opening one takes longer than its keys do.
func (l *lists) readSmall() {
	n, bytes := 0, int64(0)
	for n < min(len(l.sizes), mostSmall) && 0 <= l.sizes[n] && l.sizes[n] <= smallBytes && bytes <= aheadBytes {
		bytes += l.sizes[n]
		n++
	}
	l.small = make([]small, n)
	var next atomic.Int64
	var reading sync.WaitGroup
	for range min(n, smallReader) {
		reading.Add(1)
		go func() {
			defer reading.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				l.small[i].data, l.small[i].err = os.ReadFile(l.names[i])
			}
		}()
	}
	reading.Wait()
}

// open has something closed with the list, or at once if all is closed.
func (l *lists) open(c io.Closer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		c.Close()
		return
	}
	l.opened = append(l.opened, c)
}

// close closes the files of the list that was read. The last time may be while it is read.
func (l *lists) close(last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.opened) - 1; i >= 0; i-- {
		l.opened[i].Close()
	}
	l.opened, l.closed = l.opened[:0], last
}
