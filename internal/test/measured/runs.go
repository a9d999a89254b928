package measured

import (
	"errors"
	"io"
	"io/fs"
	"slices"
)

// Runs are of one program, at most one on each processor and the newest first, so that a table shows them side by side.
type Runs[R interface{ Processor() string }] []R

// SaveRun writes a run into a file of Runs, where it replaces the one on the same processor. Without a name it writes
// the run alone to w.
func SaveRun[R interface{ Processor() string }](file string, w io.Writer, run R) error {
	runs := &Runs[R]{}
	if file != "" {
		old, err := Load[Runs[R]](file)
		switch {
		case err == nil:
			runs = old
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	same := func(r R) bool { return r.Processor() == run.Processor() }
	return Save(file, w, append(Runs[R]{run}, slices.DeleteFunc(*runs, same)...))
}
