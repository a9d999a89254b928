package decode

import "io"

const (
	aheadBytes   = 1 << 20
	aheadBuffers = 4
)

// ahead reads in its own goroutine, so that lists are decompressed while keys are hashed.
type ahead struct {
	full chan buffer
	free chan []byte
	now  []byte // the rest of room
	room []byte // the buffer that is being read
	err  error
}

type buffer struct {
	data []byte
	err  error
}

// readAhead reads from a reader until its end, or until stop is closed, and then closes it.
func readAhead(from io.ReadCloser, stop <-chan struct{}) *ahead {
	a := &ahead{full: make(chan buffer, aheadBuffers), free: make(chan []byte, aheadBuffers)}
	for range aheadBuffers {
		a.free <- nil
	}
	go func() {
		defer from.Close()
		defer close(a.full)
		for {
			select {
			case <-stop:
				return
			case room := <-a.free:
				if room == nil {
					room = make([]byte, aheadBytes)
				}
				n, err := from.Read(room)
				a.full <- buffer{room[:n], err} // there is room for all buffers
				if err != nil {
					return
				}
			}
		}
	}()
	return a
}

// Read is io.Reader's. After stop it returns io.ErrClosedPipe.
func (a *ahead) Read(p []byte) (n int, err error) {
	for len(a.now) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.room != nil {
			a.free <- a.room[:aheadBytes]
		}
		b, more := <-a.full
		if !more {
			b.err = io.ErrClosedPipe
		}
		a.now, a.room, a.err = b.data, b.data, b.err
	}
	n = copy(p, a.now)
	a.now = a.now[n:]
	return n, nil
}
