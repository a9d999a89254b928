package command

import (
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
