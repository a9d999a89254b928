package cold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

var errBroken = errors.New("broken")

// TestCache: what was used last is kept, pieces go before headers and files, and errors and what is too large are not
// kept.
func TestCache(t *testing.T) {
	const bytes = 100
	c := newCache(5 * (bytes + overhead))
	add := func(at int64, class int, size int64, err error) {
		t.Helper()
		e, own := c.get(key{0, at}, class)
		if !own || e.isThere() {
			t.Fatalf("entry %d is there before it is read", at)
		}
		if again, own := c.get(key{0, at}, class); own || again != e {
			t.Fatalf("entry %d is read twice", at)
		}
		e.err = err
		if c.put(e, size); !e.isThere() {
			t.Fatalf("entry %d is not there", at)
		}
	}
	there := func(want ...int64) {
		t.Helper()
		var got []int64
		for k := range c.entries {
			got = append(got, k.at)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || c.used != int64(len(want))*(bytes+overhead) {
			t.Fatalf("entries %d of %d bytes, want %d", got, c.used, want)
		}
	}
	add(9, files, bytes, nil)
	add(8, headers, bytes, nil)
	for at := int64(0); at < 3; at++ {
		add(at, pieces, bytes, nil)
	}
	there(0, 1, 2, 8, 9)
	c.get(key{0, 0}, pieces)
	add(3, pieces, bytes, nil) // 1 was used first
	there(0, 2, 3, 8, 9)
	add(4, pieces, 0, errBroken)
	add(5, pieces, 5*(bytes+overhead)-overhead+1, nil) // a byte too large
	there(0, 2, 3, 8, 9)
	add(10, files, bytes, nil)
	add(11, files, bytes, nil)
	add(12, files, bytes, nil)
	there(8, 9, 10, 11, 12)
	add(13, files, bytes, nil)
	there(9, 10, 11, 12, 13)
	add(14, files, bytes, nil)
	there(10, 11, 12, 13, 14)
	add(15, pieces, bytes, nil) // the last ones to go are files
	there(10, 11, 12, 13, 14)
	c = newCache(bytes + overhead)
	add(1, pieces, bytes, nil) // as much as there is
	there(1)
}

// TestWaiting for what another call reads: its error is this call's, but not that it was ended.
func TestWaiting(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx   context.Context
		err   error
		again bool
		want  error
	}{
		{t.Context(), nil, false, nil},
		{t.Context(), errBroken, false, errBroken},
		{t.Context(), context.Canceled, true, nil},
		{t.Context(), fmt.Errorf("%w", context.DeadlineExceeded), true, nil},
	} {
		e := &entry{err: c.err, done: make(chan struct{})}
		close(e.done)
		if again, err := e.wait(c.ctx); again != c.again || !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v: again %v, %v", c.err, again, err)
		}
	}
	e := &entry{done: make(chan struct{})}
	if again, err := e.wait(ended); again || err != context.Canceled || e.isThere() {
		t.Errorf("a call that is ended waits: again %v, %v", again, err)
	}
}

// TestShares: callers get their bytes in order, and those that are ended give theirs to the next.
func TestShares(t *testing.T) {
	s := &shares{left: 10}
	if s.take(t.Context(), 10) != nil || s.left != 0 {
		t.Fatalf("%d bytes are left", s.left)
	}
	var order []int
	done := make(chan int)
	wait := func(ctx context.Context, i int, bytes int64, want error) {
		go func() {
			if err := s.take(ctx, bytes); err != want {
				t.Errorf("caller %d: %v, want %v", i, err, want)
			}
			done <- i
		}()
		for waits := 0; waits < i; time.Sleep(100 * time.Microsecond) {
			s.mu.Lock()
			waits = len(s.waiting)
			s.mu.Unlock()
		}
	}
	ending, end := context.WithCancel(t.Context())
	wait(ending, 1, 9, context.Canceled)
	wait(t.Context(), 2, 4, nil)
	wait(t.Context(), 3, 5, nil)
	wait(t.Context(), 4, 1, nil) // which does not overtake
	s.give(4)
	if len(s.waiting) != 4 || s.left != 4 {
		t.Errorf("%d wait, %d bytes are left", len(s.waiting), s.left)
	}
	end()
	order = append(order, <-done, <-done)
	slices.Sort(order)
	if !slices.Equal(order, []int{1, 2}) || len(s.waiting) != 2 || s.left != 0 {
		t.Errorf("%d end, %d wait, %d bytes are left", order, len(s.waiting), s.left)
	}
	s.give(6)
	if order = []int{<-done, <-done}; order[0]+order[1] != 7 || s.left != 0 || len(s.waiting) != 0 {
		t.Errorf("%d end, %d bytes are left", order, s.left)
	}
	s.give(10)
	if err := s.take(ending, 3); err != nil || s.left != 7 {
		t.Errorf("bytes that are there: %v, %d are left", err, s.left)
	}
	s = &shares{left: 4}
	ending, end = context.WithCancel(t.Context())
	wait(t.Context(), 1, 12, nil)
	wait(ending, 2, 9, context.Canceled)
	end()
	if i := <-done; i != 2 || len(s.waiting) != 1 || s.left != 4 {
		t.Errorf("caller %d ends, %d wait, %d bytes are left", i, len(s.waiting), s.left)
	}
	if s.give(8); <-done != 1 || s.left != 0 {
		t.Errorf("%d bytes are left", s.left)
	}
	for range 100 { // it is served just as it is ended, and its bytes go to the next
		s = &shares{}
		ctx, end := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- s.take(ctx, 5) }()
		for waits := 0; waits < 1; runtime.Gosched() {
			s.mu.Lock()
			waits = len(s.waiting)
			s.mu.Unlock()
		}
		go func() { second <- s.take(t.Context(), 5) }()
		for waits := 0; waits < 2; runtime.Gosched() {
			s.mu.Lock()
			waits = len(s.waiting)
			s.mu.Unlock()
		}
		end()
		s.give(5)
		if <-first == nil {
			s.give(5)
		}
		select {
		case err := <-second:
			if err != nil || s.left != 0 {
				t.Fatalf("%v, %d bytes are left", err, s.left)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the next one waits for ever")
		}
	}
}

// TestRuns: units of one file are one request if not more than the read cost is between them, and not more than an
// eighth of the share is read.
func TestRuns(t *testing.T) {
	f := &Filter{readCost: 200, share: 8 * 1000}
	a, b := &file{unit: 100, length: 950}, &file{unit: 100, length: 5000}
	of := func(file *file, from ...uint64) (units []*want) {
		for _, from := range from {
			units = append(units, &want{file: file, from: from})
		}
		return units
	}
	for what, c := range map[string]struct {
		own  []*want
		want []int // units in each
	}{
		"none":                           {nil, nil},
		"one":                            {of(a, 900), []int{1}},
		"neighbours":                     {of(a, 0, 100, 200), []int{3}},
		"as far as the read cost":        {of(a, 0, 300), []int{2}},
		"farther":                        {of(a, 0, 301), []int{1, 1}},
		"an eighth":                      {of(b, 0, 300, 600, 900), []int{4}},
		"more than an eighth":            {of(b, 0, 300, 600, 900, 1000), []int{4, 1}},
		"the last one of a file is less": {of(a, 600, 900), []int{2}},
		"two files":                      {append(of(a, 800, 900), of(b, 900, 1000, 1600)...), []int{2, 2, 1}},
	} {
		var got []int
		for _, run := range f.runs(c.own) {
			got = append(got, len(run))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: runs of %d, want %d", what, got, c.want)
		}
	}
	if n := of(a, 900)[0].bytes(); n != 50 {
		t.Errorf("the last unit has %d bytes", n)
	}
}

// TestRangesInUnits: a range that begins in the first of some units is in that one, or put together, and an error of
// one that it needs is its own.
func TestRangesInUnits(t *testing.T) {
	units := []want{{from: 100, data: []byte("0123456789")}, {from: 110, data: []byte("abcdefghij")}, {from: 120, err: errBroken}}
	for _, c := range []struct {
		at, bytes uint64
		want      string
		err       error
	}{
		{100, 10, "0123456789", nil},
		{103, 4, "3456", nil},
		{109, 1, "9", nil},
		{103, 10, "3456789abc", nil},
		{100, 20, "0123456789abcdefghij", nil},
		{109, 12, "", errBroken},
	} {
		if got, err := rangeIn(units, c.at, c.bytes); string(got) != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%d bytes at %d: %q, %v", c.bytes, c.at, got, err)
		}
	}
	if got, err := rangeIn(units[:2], 105, 16); got != nil || !errors.Is(err, contents.ErrCorrupt) {
		t.Errorf("beyond the filter: %q, %v", got, err)
	}
	if got, _ := rangeIn(units, 103, 4); cap(got) != 4 {
		t.Errorf("%d bytes may be appended to in place", cap(got))
	}
}

// TestAtHand: the first and last bytes of a filter are.
func TestAtHand(t *testing.T) {
	f := &file{length: 100, head: []byte("01234"), tail: []byte("abcdefghij")}
	for _, c := range []struct {
		at, bytes uint64
		want      string
		ok        bool
	}{
		{0, 0, "", true},
		{50, 0, "", true},
		{0, 5, "01234", true},
		{2, 3, "234", true},
		{0, 6, "", false},
		{4, 2, "", false},
		{89, 1, "", false},
		{90, 10, "abcdefghij", true},
		{95, 2, "fg", true},
		{99, 1, "j", true},
	} {
		if got, ok := f.atHand(c.at, c.bytes); string(got) != c.want || ok != c.ok || cap(got) != len(got) {
			t.Errorf("%d bytes at %d: %q, %v", c.bytes, c.at, got, ok)
		}
	}
}

// text is a file that is read by ranges.
type text struct {
	data  string
	reads []int
	fails bool // all requests, or
	after int  // those after some, if not 0
}

func (s *text) ReadRange(_ context.Context, _ string, p []byte, off int64) error {
	s.reads = append(s.reads, len(p))
	switch {
	case s.fails || s.after > 0 && len(s.reads) > s.after:
		return errBroken
	case copy(p, s.data[min(off, int64(len(s.data))):]) < len(p):
		return io.ErrUnexpectedEOF
	}
	return nil
}

// TestTexts: the first request reads 64 KiB, and each later one the sum of those before it.
func TestTexts(t *testing.T) {
	const first = 64 << 10
	line := func(n int) string { return strings.Repeat("x", n-1) + "\n" }
	for _, c := range []struct {
		bytes int
		reads []int
	}{
		{1, []int{first}},
		{first - 1, []int{first}},
		{first, []int{first}},
		{first + 1, []int{first, first}},
		{2 * first, []int{first, first}},
		{5 * first, []int{first, first, 2 * first, 4 * first}},
		{8 * first, []int{first, first, 2 * first, 4 * first}},
		{8*first + 1, nil},
	} {
		s := &text{data: line(c.bytes)}
		memory := int64(16 * 8 * first)
		f, err := New(s, Options{Memory: &memory})
		if err != nil {
			t.Fatal(err)
		}
		err = f.ReadText(t.Context(), "f", func(text []byte) error {
			if string(text) != s.data {
				return errBroken
			}
			return nil
		})
		if (err == nil) != (c.reads != nil) || c.reads != nil && !slices.Equal(s.reads, c.reads) {
			t.Errorf("%d bytes: reads of %d, want %d: %v", c.bytes, s.reads, c.reads, err)
		}
		bytes := 0
		for _, n := range s.reads {
			bytes += n
		}
		if n := f.Counters(); n.Requests != int64(len(s.reads)) || n.Bytes != int64(bytes) || n.Errors != 0 {
			t.Errorf("%d bytes: %+v", c.bytes, n)
		}
	}
	for _, s := range []*text{{}, {data: "x\n", fails: true}, {data: "wrong\n"}} {
		f, err := New(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.ReadText(t.Context(), "f", func([]byte) error { return errBroken }); err == nil || s.data == "" && !errors.Is(err, io.ErrUnexpectedEOF) || s.data != "" && !errors.Is(err, errBroken) {
			t.Errorf("%q: %v", s.data, err)
		}
		if n := f.Counters(); (n.Errors == 1) != s.fails {
			t.Errorf("%q: %+v", s.data, n)
		}
	}
}

// TestOptions: without them there are 64 MiB, and requests that are 256 KiB apart are one.
func TestOptions(t *testing.T) {
	least, none, one := int64(leastMemory), int64(0), 1
	for _, o := range []Options{{}, {Memory: &least, ReadCost: &none, Requests: &one}} {
		f, err := New(&text{}, o)
		if err != nil {
			t.Fatal(err)
		}
		all := or(o.Memory, 64<<20)
		if f.cache.most+f.working.left+f.opening.left > all || f.cache.most != all/2 || f.share != all/8 || cap(f.slots) != f.requests ||
			f.readCost != uint64(or(o.ReadCost, 256<<10)) || f.requests != or(o.Requests, 32) {
			t.Errorf("%+v", f)
		}
	}
}

// TestNames: a file's number tells its layer and part.
func TestNames(t *testing.T) {
	f := new(Filter)
	if err := f.UseSet("simdbloom.FastLocal.XX64", []Layer{{Parts: 4}, {Parts: 1}, {Parts: 2}}); err != nil {
		t.Fatal(err)
	}
	for number, want := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {2, 1}} {
		if l, part := f.nameOf(int32(number)); l != &f.layers[want[0]] || part != want[1] {
			t.Errorf("file %d is part %d of a layer of %d, want %d", number, part, l.Parts, want)
		}
	}
	if err := f.UseSet("unknown", nil); !errors.Is(err, contents.ErrUnknown) {
		t.Error(err)
	}
}
