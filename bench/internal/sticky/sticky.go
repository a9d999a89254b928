// Package sticky has a writer whose first error stays, so that a program that
// prints much looks once whether all of it was written.
package sticky

import "io"

// Writer remembers in Err the first error of the writer below, W.
type Writer struct {
	W   io.Writer
	Err error
}

// Write writes to W.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.W.Write(p)
	if w.Err == nil {
		w.Err = err
	}
	return n, err
}
