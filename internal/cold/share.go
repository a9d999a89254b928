package cold

import (
	"context"
	"sync"
)

// shares are bytes of memory that calls take, and give back. Those that wait are served in their order.
type shares struct {
	mu      sync.Mutex
	left    int64
	waiting []*waiter
}

type waiter struct {
	bytes int64
	has   chan struct{}
}

// take waits for some bytes, at most all that there are.
func (s *shares) take(ctx context.Context, bytes int64) error {
	s.mu.Lock()
	if len(s.waiting) == 0 && bytes <= s.left {
		s.left -= bytes
		s.mu.Unlock()
		return nil
	}
	w := &waiter{bytes, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	select {
	case <-w.has:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.waiting {
		if other == w {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			s.serve()
			return ctx.Err()
		}
	}
	s.left += bytes // they came meanwhile
	s.serve()
	return ctx.Err()
}

func (s *shares) give(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left += bytes
	s.serve()
}

func (s *shares) serve() {
	for len(s.waiting) > 0 && s.waiting[0].bytes <= s.left {
		s.left -= s.waiting[0].bytes
		close(s.waiting[0].has)
		s.waiting = s.waiting[1:]
	}
}
