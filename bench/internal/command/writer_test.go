package command

import (
	"bytes"
	"errors"
	"testing"
)

// failing fails with each of its errors in turn.
type failing []error

func (f *failing) Write(p []byte) (int, error) {
	err := (*f)[0]
	*f = (*f)[1:]
	return 0, err
}

func TestTheFirstErrorStays(t *testing.T) {
	first := errors.New("first")
	w := &writer{below: &failing{nil, first, errors.New("second"), nil}}
	for i, want := range []error{nil, first, first, first} {
		_, _ = w.Write([]byte("text"))
		if w.err != want {
			t.Errorf("after %d writes: %v, want %v", i+1, w.err, want)
		}
	}
}

func TestWhatIsWrittenArrives(t *testing.T) {
	var below bytes.Buffer
	w := &writer{below: &below}
	if n, err := w.Write([]byte("text")); n != 4 || err != nil || w.err != nil || below.String() != "text" {
		t.Errorf("%d, %v, %v, %q", n, err, w.err, below.String())
	}
}
