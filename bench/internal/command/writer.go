package command

import "io"

// writer remembers the first error of the writer below, so that a program that
// prints much looks once whether all of it was written.
type writer struct {
	below io.Writer
	err   error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.below.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}
